#include "worker/storage/io_watch.h"

#include <list>
#include <mutex>

namespace fairlap::storage {
namespace {

struct Entry {
  std::mutex mutex;
  const char* action = nullptr;  // nullptr: the thread waits for nothing
  std::string path;
  base::SteadyTime since;
};

struct Register {
  std::mutex mutex;
  std::list<Entry> entries;
};

// Never destroyed: threads that were left behind may outlive everything.
Register& TheRegister() {
  static auto* const kRegister = new Register();
  return *kRegister;
}

// A thread's place in the register.
class Place {
 public:
  Place() {
    const std::lock_guard lock(TheRegister().mutex);
    entry_ = TheRegister().entries.emplace(TheRegister().entries.end());
  }
  ~Place() {
    const std::lock_guard lock(TheRegister().mutex);
    TheRegister().entries.erase(entry_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  Entry& entry() { return *entry_; }

 private:
  std::list<Entry>::iterator entry_;
};

Entry& OfThisThread() {
  thread_local Place place;
  return place.entry();
}

void Set(Entry& entry, const char* action, std::string_view path) {
  const std::lock_guard lock(entry.mutex);
  entry.action = action;
  entry.path = path;
  entry.since = base::SystemClock().Now();
}

}  // namespace

// Only the owner writes its entry, so it may read it without the lock.
IoScope::IoScope(const char* action, std::string_view path)
    : outer_action_(OfThisThread().action),
      outer_path_(outer_action_ == nullptr ? std::string() : OfThisThread().path) {
  Set(OfThisThread(), action, path);
}

IoScope::~IoScope() { Set(OfThisThread(), outer_action_, outer_path_); }

void IoScope::Progress() {
  Entry& entry = OfThisThread();
  const std::lock_guard lock(entry.mutex);
  entry.since = base::SystemClock().Now();
}

std::optional<IoWait> LongestIoWait() {
  std::optional<IoWait> longest;
  const std::lock_guard lock(TheRegister().mutex);
  for (Entry& entry : TheRegister().entries) {
    const std::lock_guard entry_lock(entry.mutex);
    if (entry.action == nullptr || (longest && longest->since <= entry.since)) continue;
    longest = IoWait{entry.action, entry.path, entry.since};
  }
  return longest;
}

}  // namespace fairlap::storage

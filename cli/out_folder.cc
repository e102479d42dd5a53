#include "cli/out_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/report/files.h"

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;

constexpr char kPrivateName[] = ".fairlap";
constexpr char kLockName[] = "lock";
constexpr char kRepeatsName[] = "repeats";
constexpr int64_t kMaxLockBytes = 4096;

tl::unexpected<base::Error> CannotUse(const fs::path& root, const std::string& why) {
  return base::MakeError(ErrorKind::kIo, root.string() + ": cannot be used for results: " + why +
                                             "; give another folder with --out");
}

std::string HolderOf(const fs::path& lock_file) {
  auto text = base::ReadFile(lock_file, kMaxLockBytes);
  if (!text || text->empty()) return "another run";
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return *text;
}

// The lock's file descriptor.
base::Result<int> Lock(const fs::path& root) {
  const fs::path file = root / kPrivateName / kLockName;
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return CannotUse(root, base::SystemMessage(errno));
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const int error = errno;
  ::close(fd);
  if (error != EWOULDBLOCK) return CannotUse(root, base::SystemMessage(error));
  return base::MakeError(ErrorKind::kConflict,
                         root.string() + ": is in use by " + HolderOf(file) +
                             "; nothing was changed. Wait for it, or give another --out");
}

base::Status SayWhoHolds(const fs::path& root, int fd, const std::string& run) {
  const std::string text = "process " + std::to_string(::getpid()) + ", fairlap run of " + run +
                           " since " + base::FormatTime(base::SystemClock().WallNow()) + "\n";
  if (::ftruncate(fd, 0) == 0 &&
      ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size())) {
    return {};
  }
  return CannotUse(root, base::SystemMessage(errno));
}

std::string OfAnEarlierRun(std::string what) {
  what += " of an earlier run";
  return what;
}

// What an earlier run left, in words; empty if there was none.
std::string EarlierRun(const fs::path& root) {
  std::error_code ignored;
  if (fs::exists(root / report::kReportFile, ignored)) {
    const auto earlier = report::ReadRunReport(root);
    if (!earlier) return OfAnEarlierRun(report::kReportFile);
    size_t succeeded = 0;
    for (const auto& repeat : earlier->status.repeats) {
      if (repeat.outcome == api::Outcome::kSucceeded) ++succeeded;
    }
    return "the results of " + earlier->name + " (" + earlier->status.state.value_or("unfinished") +
           ", " + std::to_string(succeeded) + " of " +
           std::to_string(earlier->status.repeats.size()) + " repeats succeeded)";
  }
  if (!fs::exists(root / kRepeatsName, ignored)) return "";
  return OfAnEarlierRun((fs::path(kRepeatsName) / "").string());
}

base::Status RemoveEarlierRun(const fs::path& root) {
  std::vector<fs::path> ours = {root / report::kReportFile, root / kRepeatsName};
  std::error_code error;
  for (fs::directory_iterator entry(root / kPrivateName, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != kLockName) ours.push_back(entry->path());
  }
  for (const fs::path& path : ours) {
    if (!error) fs::remove_all(path, error);
  }
  return error ? base::Status(CannotUse(root, error.message())) : base::Status();
}

}  // namespace

base::Result<OutFolder> OutFolder::Open(const fs::path& root, const std::string& run,
                                        bool overwrite) {
  std::error_code error;
  const fs::path absolute = fs::absolute(root, error).lexically_normal();
  if (!error) fs::create_directories(absolute / kPrivateName, error);
  if (error) return CannotUse(absolute, error.message());
  const auto lock = Lock(absolute);
  if (!lock) return tl::unexpected(lock.error());
  OutFolder folder(absolute, *lock);
  const std::string earlier = EarlierRun(absolute);
  if (!earlier.empty() && !overwrite) {
    return base::MakeError(
        ErrorKind::kConflict,
        absolute.string() + ": holds " + earlier +
            "; nothing was changed. Give another --out, or --overwrite to replace it");
  }
  if (auto removed = RemoveEarlierRun(absolute); !removed) return tl::unexpected(removed.error());
  if (auto said = SayWhoHolds(absolute, *lock, run); !said) return tl::unexpected(said.error());
  fs::create_directories(folder.repeats(), error);
  if (error) return CannotUse(absolute, error.message());
  return folder;
}

OutFolder::OutFolder(OutFolder&& other) noexcept
    : root_(std::move(other.root_)), lock_(std::exchange(other.lock_, -1)) {}

OutFolder::~OutFolder() {
  if (lock_ >= 0) ::close(lock_);
}

fs::path OutFolder::report_file() const { return root_ / report::kReportFile; }
fs::path OutFolder::repeats() const { return root_ / kRepeatsName; }
fs::path OutFolder::RepeatFolder(const std::string& job) const { return repeats() / job; }
fs::path OutFolder::PrivateFolder(const std::string& job) const {
  return root_ / kPrivateName / job;
}

}  // namespace fairlap::cli

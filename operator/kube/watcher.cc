#include "operator/kube/watcher.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "lib/base/random.h"
#include "operator/kube/metadata.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;
using base::SteadyTime;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Half of it fixed, so that a server gets a pause, half of it random, so that clients spread.
class BackOff {
 public:
  BackOff(const WatcherDelays& delays, uint64_t salt)
      : delays_(delays), random_(base::MixSeeds(delays.seed, salt)) {}

  void Reset() { next_ = delays_.first; }

  // Returns early, and at once, on a stop.
  void Wait(SteadyTime not_before, const std::stop_token& stop) {
    const milliseconds jitter(random_.Between(0, next_.count() / 2));
    const SteadyTime until = std::max(steady_clock::now() + next_ - jitter, not_before);
    next_ = std::min(next_ * 2, delays_.longest);
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_until(lock, stop, until, [] { return false; });
  }

 private:
  const WatcherDelays delays_;
  base::Random random_;
  milliseconds next_ = delays_.first;
};

// Whether going on from the same version would meet the same again.
bool NeedsList(ErrorKind kind) {
  return kind == ErrorKind::kGone || kind == ErrorKind::kInternal ||
         kind == ErrorKind::kInvalidInput;
}

}  // namespace

Watcher::Watcher(const Resource& resource, ListOptions options, Client& client, Store& store,
                 WatcherObserver observer, WatcherDelays delays)
    : resource_(resource),
      options_(std::move(options)),
      client_(client),
      store_(store),
      observer_(std::move(observer)),
      delays_(delays),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void Watcher::Run(const std::stop_token& stop) {
  BackOff back_off(delays_, std::hash<std::string_view>()(resource_.plural));
  while (!stop.stop_requested()) {
    const bool listing = version_.empty();
    events_ = 0;
    const bool success = listing ? List(stop) : Watch(stop);
    if (success || events_ > 0) back_off.Reset();
    if (!success) back_off.Wait(client_.not_before(), stop);
  }
}

bool Watcher::List(const std::stop_token& stop) {
  auto list = client_.List(resource_, options_, stop);
  if (!list) {
    Report(list.error(), stop);
    return false;
  }
  const size_t count = list->items.size();
  store_.Replace(std::move(list->items));
  version_ = std::move(list->resource_version);
  synced_ = true;
  if (observer_.listed) observer_.listed(resource_, count);
  return true;
}

// False if it is time for a pause.
bool Watcher::Watch(const std::stop_token& stop) {
  const auto begin = steady_clock::now();
  const auto ended = client_.Watch(
      resource_, options_, version_,
      [this](const std::string& type, Json object) { OnEvent(type, std::move(object)); }, stop);
  if (!ended) {
    if (NeedsList(ended.error().kind)) version_.clear();
    Report(ended.error(), stop);
    return ended.error().kind == ErrorKind::kGone && events_ > 0;
  }
  if (observer_.watch_ended) observer_.watch_ended(resource_);
  return events_ > 0 || steady_clock::now() - begin >= delays_.first;
}

void Watcher::OnEvent(const std::string& type, Json object) {
  ++events_;
  if (std::string version = Metadata(object, "resourceVersion"); !version.empty()) {
    version_ = std::move(version);
  }
  if (type == "DELETED") {
    store_.Remove(object);
  } else if (type != "BOOKMARK") {
    store_.Put(std::move(object));
  }
}

void Watcher::Report(const base::Error& error, const std::stop_token& stop) {
  if (!stop.stop_requested() && observer_.failed) observer_.failed(resource_, error);
}

}  // namespace fairlap::kube

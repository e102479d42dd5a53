#include "operator/control/work_queue.h"

#include <algorithm>

namespace fairlap::control {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstDelay{500};
constexpr milliseconds kLongestDelay{60'000};

}  // namespace

void WorkQueue::AddAt(const std::string& key, base::SteadyTime due) {
  {
    const std::lock_guard lock(mutex_);
    const auto taken = taken_.find(key);
    if (taken != taken_.end()) {
      taken->second = std::min(due, taken->second.value_or(due));
      return;
    }
    Schedule(key, due);
  }
  changed_.notify_one();
}

void WorkQueue::Schedule(const std::string& key, base::SteadyTime due) {
  const auto [entry, is_new] = due_.emplace(key, due);
  if (!is_new) {
    if (entry->second <= due) return;
    by_time_.erase({entry->second, key});
    entry->second = due;
  }
  by_time_.emplace(due, key);
}

void WorkQueue::Retry(const std::string& key) {
  milliseconds delay = kFirstDelay;
  {
    const std::lock_guard lock(mutex_);
    const int failures = failures_[key]++;
    delay = std::min(kLongestDelay, kFirstDelay * (1 << std::min(failures, 10)));
  }
  AddAt(key, clock_.Now() + delay);
}

void WorkQueue::Forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  failures_.erase(key);
}

std::optional<std::string> WorkQueue::TakeDue() {
  if (by_time_.empty() || by_time_.begin()->first > clock_.Now()) return std::nullopt;
  std::string key = by_time_.begin()->second;
  by_time_.erase(by_time_.begin());
  due_.erase(key);
  taken_.emplace(key, std::nullopt);
  return key;
}

std::optional<std::string> WorkQueue::TryTake() {
  const std::lock_guard lock(mutex_);
  return TakeDue();
}

std::optional<std::string> WorkQueue::Take(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (auto key = TakeDue()) return key;
    // Woken early or late, the loop looks again.
    if (by_time_.empty()) {
      changed_.wait(lock, stop, [this] { return !by_time_.empty(); });
    } else {
      const auto first = by_time_.begin()->first;
      changed_.wait_until(lock, stop, first, [this, first] {
        return by_time_.empty() || by_time_.begin()->first < first;
      });
    }
  }
  return std::nullopt;
}

void WorkQueue::Done(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    const auto taken = taken_.find(key);
    if (taken == taken_.end()) return;
    const std::optional<base::SteadyTime> again = taken->second;
    taken_.erase(taken);
    if (!again) return;
    Schedule(key, *again);
  }
  changed_.notify_one();
}

size_t WorkQueue::depth() const {
  const std::lock_guard lock(mutex_);
  const auto now = clock_.Now();
  return static_cast<size_t>(std::count_if(
      by_time_.begin(), by_time_.end(), [now](const auto& entry) { return entry.first <= now; }));
}

}  // namespace fairlap::control

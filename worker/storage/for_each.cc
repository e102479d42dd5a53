#include "worker/storage/for_each.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace fairlap::storage {
namespace {

constexpr std::chrono::milliseconds kPause{200};

// What the threads share.
class Round {
 public:
  Round(size_t items, size_t threads, std::stop_token stop)
      : items_(items), running_(threads), stop_(std::move(stop)) {}

  // False when there is no more to do.
  bool Take(size_t& item) {
    if (failed_ || stop_.stop_requested()) return false;
    item = next_++;
    return item < items_;
  }

  void Fail(base::Error error) {
    const std::lock_guard lock(mutex_);
    if (!failed_.exchange(true)) result_ = tl::unexpected(std::move(error));
  }

  void Leave() {
    // Told with the lock held: afterwards this may be gone.
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_all();
  }

  base::Status Wait(const std::function<void()>& meanwhile) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kPause, [this] { return running_ == 0; })) {
      lock.unlock();
      meanwhile();
      lock.lock();
    }
    if (result_ && next_ < items_) {
      return base::MakeError(base::ErrorKind::kInterrupted,
                             "stopped while copying the data set to scratch");
    }
    return result_;
  }

 private:
  const size_t items_;
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t running_;
  base::Status result_;
  std::atomic<bool> failed_ = false;
  std::atomic<size_t> next_ = 0;
  const std::stop_token stop_;
};

}  // namespace

base::Status ForEach(size_t items, int threads,
                     const std::function<base::Status(size_t, size_t)>& work,
                     const std::function<void()>& meanwhile, const std::stop_token& stop) {
  const size_t used = std::min(items, static_cast<size_t>(std::max(threads, 1)));
  Round round(items, used, stop);
  std::vector<std::jthread> running;
  for (size_t thread = 0; thread < used; ++thread) {
    running.emplace_back([&round, &work, thread] {
      for (size_t item = 0; round.Take(item);) {
        if (auto done = work(item, thread); !done) round.Fail(std::move(done.error()));
      }
      round.Leave();
    });
  }
  return round.Wait(meanwhile);
}

}  // namespace fairlap::storage

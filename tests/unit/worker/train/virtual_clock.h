// Time for timelines that are built of delays: it moves only while the training thread and all
// input threads of a pipeline wait for it, so a timeline is the same to the nanosecond on any
// machine.
#ifndef FAIRLAP_TESTS_UNIT_WORKER_TRAIN_VIRTUAL_CLOCK_H_
#define FAIRLAP_TESTS_UNIT_WORKER_TRAIN_VIRTUAL_CLOCK_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "lib/base/clock.h"
#include "worker/data/pipeline.h"

namespace fairlap::train {

// Knows of the pipeline what its header promises: batches are taken in order, at most
// prefetch_batches are in work beside the one lent out, and an input thread loads one sample at a
// time. Samples come in the order of their indices, in full batches.
class VirtualClock final : public base::Clock {
 public:
  using Duration = std::chrono::nanoseconds;

  explicit VirtualClock(const data::PipelineOptions& options) : options_(options) {}

  base::SteadyTime Now() const override {
    const std::lock_guard lock(mutex_);
    return base::SteadyTime(now_);
  }
  base::WallTime WallNow() const override {
    return base::WallTime(
        std::chrono::duration_cast<base::WallTime::duration>(Now().time_since_epoch()));
  }

  // An input thread loads the sample `index`, which takes so long.
  void Load(int64_t index, Duration duration) { SleepFor(duration, index / options_.batch_size); }
  // The training thread is busy.
  void Work(Duration duration) { SleepFor(duration, kTraining); }

  // The training thread is between these two while it asks for its next batch.
  void BeginWaiting() {
    const std::lock_guard lock(mutex_);
    training_waits_ = true;
    MoveOn();
  }
  void EndWaiting() {
    const std::lock_guard lock(mutex_);
    training_waits_ = false;
    ++taken_;
  }

  // Nobody waits for the time any more.
  void Stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr int64_t kTraining = -1;

  struct Sleeper {
    Duration wakes;
    int64_t batch;  // or kTraining
    bool awake = false;
  };

  void SleepFor(Duration duration, int64_t batch) {
    std::unique_lock lock(mutex_);
    const auto self = sleepers_.insert(sleepers_.end(), {now_ + duration, batch});
    MoveOn();
    const auto done = [&] { return self->awake || stopped_; };
    if (!changed_.wait_for(lock, std::chrono::minutes(2), done)) {
      ADD_FAILURE() << "the pipeline does not do what this clock expects of it";
      stopped_ = true;
      changed_.notify_all();
    }
    sleepers_.erase(self);
  }

  // All that follows with mutex_ held.
  void MoveOn() {
    while (TrainingIsHeld() && InputIsHeld() && WakeNext()) continue;
  }

  // Those who sleep the shortest. false: nobody sleeps.
  bool WakeNext() {
    const auto asleep = [](const Sleeper& a, const Sleeper& b) {
      return a.awake != b.awake ? b.awake : a.wakes < b.wakes;
    };
    const auto first = std::min_element(sleepers_.begin(), sleepers_.end(), asleep);
    if (first == sleepers_.end() || first->awake) return false;
    now_ = first->wakes;
    for (Sleeper& sleeper : sleepers_) {
      if (sleeper.awake || sleeper.wakes > now_) continue;
      sleeper.awake = true;
      if (sleeper.batch != kTraining) FinishLoad(sleeper.batch);
    }
    changed_.notify_all();
    return true;
  }

  void FinishLoad(int64_t batch) {
    loaded_.resize(std::max<size_t>(loaded_.size(), batch + 1));
    ++loaded_[batch];
    ++loads_;
  }

  bool TrainingIsHeld() const {
    const bool has_batch = std::ssize(loaded_) > taken_ && loaded_[taken_] == options_.batch_size;
    return training_waits_ ? !has_batch : Asleep(/*training=*/true) > 0;
  }

  // Every input thread that has something to do sleeps.
  bool InputIsHeld() const {
    const int64_t open = (options_.prefetch_batches + taken_) * options_.batch_size - loads_;
    return Asleep(/*training=*/false) >= std::min(options_.threads, open);
  }

  int64_t Asleep(bool training) const {
    return std::count_if(sleepers_.begin(), sleepers_.end(), [training](const Sleeper& sleeper) {
      return !sleeper.awake && (sleeper.batch == kTraining) == training;
    });
  }

  const data::PipelineOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Duration now_{};
  std::list<Sleeper> sleepers_;
  bool training_waits_ = false;
  bool stopped_ = false;
  int64_t taken_ = 0, loads_ = 0;
  std::vector<int64_t> loaded_;  // samples of each batch
};

}  // namespace fairlap::train

#endif  // FAIRLAP_TESTS_UNIT_WORKER_TRAIN_VIRTUAL_CLOCK_H_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>

#include "worker/measure/device_timer.h"

namespace fairlap::measure {
namespace {

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

// The stream on which libtorch works unless it is told otherwise.
constexpr cudaStream_t kDefaultStream = nullptr;

// Owns one event; its time is the device's when the work recorded before it is done.
class Event {
 public:
  Event() { Check(cudaEventCreate(&event_)); }
  ~Event() { (void)cudaEventDestroy(event_); }  // fails at most when the driver is gone
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void Record() { Check(cudaEventRecord(event_, kDefaultStream)); }
  void Wait() const { Check(cudaEventSynchronize(event_)); }
  bool IsDone() const {
    const cudaError_t state = cudaEventQuery(event_);
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();  // not an error: forget it
      return false;
    }
    Check(state);
    return true;
  }
  double SecondsSince(const Event& earlier) const {
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
    return static_cast<double>(milliseconds) / 1000.0;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

struct Slot {
  const Event* begin = nullptr;  // the end of the step before, or the restart
  Event waited, copied, forward, backward, updated;
  base::SteadyTime host_waiting, host_waited;
};

class CudaTimer : public StepTimer {
 public:
  explicit CudaTimer(const base::Clock& clock) : clock_(clock) { Restart(); }

  void Restart() override {
    restart_.Record();
    end_of_last_ = &restart_;
  }

  void Mark(Boundary boundary) override {
    Slot& slot = At(next_);
    switch (boundary) {
      case Boundary::kWaiting:
        // One slot stays free, since its last event is where the oldest step in flight begins.
        if (next_ - oldest_ == kSlots - 1) {
          At(oldest_).updated.Wait();
          done_.push_back(ReadOldest());
        }
        slot.begin = end_of_last_;
        slot.host_waiting = clock_.Now();
        break;
      case Boundary::kWaited:
        slot.host_waited = clock_.Now();
        slot.waited.Record();
        break;
      case Boundary::kCopied: slot.copied.Record(); break;
      case Boundary::kForward: slot.forward.Record(); break;
      case Boundary::kBackward: slot.backward.Record(); break;
      case Boundary::kUpdated:
        slot.updated.Record();
        end_of_last_ = &slot.updated;
        ++next_;
        break;
    }
  }

  std::optional<StepTimes> Take() override {
    if (done_.empty() && oldest_ != next_ && At(oldest_).updated.IsDone()) {
      done_.push_back(ReadOldest());
    }
    if (done_.empty()) return std::nullopt;
    const StepTimes times = done_.front();
    done_.pop_front();
    return times;
  }

  std::optional<StepTimes> WaitAndTake() override {
    if (done_.empty() && oldest_ != next_) At(oldest_).updated.Wait();
    return Take();
  }

 private:
  // Steps that the host may run ahead, plus the free one: deep enough to hide launches, and it
  // bounds the host memory that the batches in flight hold.
  static constexpr int64_t kSlots = 5;

  // The oldest step in flight, which is completed.
  StepTimes ReadOldest() {
    const Slot& slot = At(oldest_++);
    const double host_wait = base::Seconds(slot.host_waited - slot.host_waiting).count();
    return {.wall = slot.updated.SecondsSince(*slot.begin),
            .wait = std::min(host_wait, slot.waited.SecondsSince(*slot.begin)),
            .copy = slot.copied.SecondsSince(slot.waited),
            .forward = slot.forward.SecondsSince(slot.copied),
            .backward = slot.backward.SecondsSince(slot.forward),
            .update = slot.updated.SecondsSince(slot.backward)};
  }

  Slot& At(int64_t step) { return slots_[static_cast<size_t>(step % kSlots)]; }

  const base::Clock& clock_;
  Event restart_;
  const Event* end_of_last_ = nullptr;
  std::array<Slot, kSlots> slots_;
  int64_t oldest_ = 0, next_ = 0;  // steps [oldest_, next_) are in flight
  std::deque<StepTimes> done_;     // read and not taken
};

}  // namespace

std::unique_ptr<StepTimer> MakeCudaTimer(const base::Clock& clock) {
  return std::make_unique<CudaTimer>(clock);
}

}  // namespace fairlap::measure

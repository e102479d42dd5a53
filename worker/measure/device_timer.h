// Times the stages of training steps. On the CPU a step is over when its last call returns; on a
// GPU the host runs ahead, so boundaries are CUDA events in a ring of a few steps, polled and never
// synchronised for the sake of a number: a step's times come a few steps late, in order. Used by
// the training thread alone. Includes no libtorch.
#ifndef FAIRLAP_WORKER_MEASURE_DEVICE_TIMER_H_
#define FAIRLAP_WORKER_MEASURE_DEVICE_TIMER_H_

#include <memory>
#include <optional>

#include "lib/base/clock.h"

namespace fairlap::measure {

// The boundaries of one step, in the order in which they happen. A step begins where the one before
// ended, at its kUpdated, or at Restart.
enum class Boundary { kWaiting, kWaited, kCopied, kForward, kBackward, kUpdated };
inline constexpr int kBoundaries = 6;

// Seconds. On the CPU `wall` is the sum of the others and of what lay between the end of the step
// before and kWaiting. On a GPU copy, forward, backward and update are device time, and `wait` is
// the part of the host's waiting during which the device was idle: min(host wait, idle gap).
struct StepTimes {
  double wall = 0, wait = 0, copy = 0, forward = 0, backward = 0, update = 0;
};

class StepTimer {
 public:
  virtual ~StepTimer() = default;
  // The next step begins now; what lies before belongs to no step. Every earlier step must have
  // been taken.
  virtual void Restart() = 0;
  // A step may be given up after kWaited: the next one then begins again with kWaiting, and the
  // time goes to its wall.
  virtual void Mark(Boundary boundary) = 0;
  // The oldest step not yet taken, if the device has completed it.
  virtual std::optional<StepTimes> Take() = 0;
  // The same, waiting for the device; nullopt if every step was taken. For ends and pauses only.
  virtual std::optional<StepTimes> WaitAndTake() = 0;
};

// `clock` must outlive the timer.
std::unique_ptr<StepTimer> MakeHostTimer(const base::Clock& clock);

#if FAIRLAP_CUDA
// For the current device and its default stream, on which every step runs. Throws
// std::runtime_error with CUDA's words.
std::unique_ptr<StepTimer> MakeCudaTimer(const base::Clock& clock);
#endif

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_DEVICE_TIMER_H_

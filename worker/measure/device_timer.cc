#include "worker/measure/device_timer.h"

#include <array>
#include <deque>

namespace fairlap::measure {
namespace {

class HostTimer : public StepTimer {
 public:
  explicit HostTimer(const base::Clock& clock) : clock_(clock), begin_(clock.Now()) {}

  void Restart() override { begin_ = clock_.Now(); }

  void Mark(Boundary boundary) override {
    at_[static_cast<size_t>(boundary)] = clock_.Now();
    if (boundary != Boundary::kUpdated) return;
    const base::SteadyTime end = at_.back();
    finished_.push_back({.wall = base::Seconds(end - begin_).count(),
                         .wait = Until(Boundary::kWaited),
                         .copy = Until(Boundary::kCopied),
                         .forward = Until(Boundary::kForward),
                         .backward = Until(Boundary::kBackward),
                         .update = Until(Boundary::kUpdated)});
    begin_ = end;
  }

  std::optional<StepTimes> Take() override {
    if (finished_.empty()) return std::nullopt;
    const StepTimes times = finished_.front();
    finished_.pop_front();
    return times;
  }

  std::optional<StepTimes> WaitAndTake() override { return Take(); }

 private:
  // Seconds from the boundary before `boundary` to it.
  double Until(Boundary boundary) const {
    const auto i = static_cast<size_t>(boundary);
    return base::Seconds(at_[i] - at_[i - 1]).count();
  }

  const base::Clock& clock_;
  base::SteadyTime begin_;
  std::array<base::SteadyTime, kBoundaries> at_{};
  std::deque<StepTimes> finished_;
};

}  // namespace

std::unique_ptr<StepTimer> MakeHostTimer(const base::Clock& clock) {
  return std::make_unique<HostTimer>(clock);
}

}  // namespace fairlap::measure

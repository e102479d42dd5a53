// The rate that people watch: of the last few seconds.
#ifndef FAIRLAP_WORKER_REPORT_RECENT_STEPS_H_
#define FAIRLAP_WORKER_REPORT_RECENT_STEPS_H_

#include <cstdint>
#include <deque>
#include <optional>

namespace fairlap::report {

// Remembers the last steps, whose wall times sum to a few seconds. Both figures are absent before
// the first step.
class RecentSteps {
 public:
  void Add(double seconds, int64_t samples);
  std::optional<double> SamplesPerSecond() const;
  std::optional<double> SecondsPerStep() const;

 private:
  struct Step {
    double seconds;
    int64_t samples;
  };
  std::deque<Step> steps_;
  double seconds_ = 0;
  int64_t samples_ = 0;
};

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_RECENT_STEPS_H_

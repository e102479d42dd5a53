// Where the seconds of a step go, from steps timed with more and more of the input in them
// (docs/measurement.md, "Stall analysis"). Pure.
#ifndef FAIRLAP_WORKER_MEASURE_STALL_SHARES_H_
#define FAIRLAP_WORKER_MEASURE_STALL_SHARES_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/api/figures.h"

namespace fairlap::measure {

// A second t1 that differs by more makes the whole unsteady.
inline constexpr double kSteadyRatio = 0.02;
// The steps of a phase that are asked for; fewer are flagged.
inline constexpr int64_t kStallSteps = 100;

// Counted steps of each phase, in order; seconds each. A phase that could not be run is empty.
struct StallPhases {
  std::vector<double> t0;        // random data that stays on the device
  std::vector<double> t1;        // the same, copied from the host at every step
  std::vector<double> t2;        // files that are not in the page cache
  std::vector<double> t3;        // the same files, which are
  std::vector<double> t1_again;  // t1 once more
  // Why t2 or t3 does not show what it is meant to: a cache that could not be proven cold or warm.
  std::optional<std::string> invalid;
};

// Means and shares of t2: compute t0, copy t1 - t0, preparation t3 - t1, fetch t2 - t3; they sum to
// 1 and may be negative within their noise, which is two standard errors over 10 blocks, propagated
// to first order. State kFailed with a reason where a phase has no two steps a block, kUnsteady
// where t1 came out differently the second time or the phases are `invalid` (then without shares).
api::StallAnalysis AnalyseStalls(const StallPhases& phases);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_STALL_SHARES_H_

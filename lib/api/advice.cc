#include "lib/api/advice.h"

#include <string>

#include "lib/api/figures.h"

namespace fairlap::api {
namespace {

// Below this the percentiles of step times say nothing.
constexpr int64_t kFewWindowSteps = 20;

void AdviseOnWindow(const RunSpec& spec, base::Problems& problems) {
  if (!spec.problem.stop.steps) return;
  const int64_t warmup = spec.problem.warmup_steps;
  const int64_t discarded = DiscardedSteps(spec.software.input.prefetch_batches);
  const int64_t window = *spec.problem.stop.steps - warmup - discarded;
  if (window >= kFewWindowSteps) return;
  const std::string left = window <= 0
                               ? "leaves no step to measure, so there will be no rate"
                               : "leaves only " + std::to_string(window) + " steps to measure";
  problems.push_back({"spec.problem.stop.steps",
                      left + ": " + std::to_string(warmup) + " warmupSteps and " +
                          std::to_string(discarded) +
                          " more, 2 x (prefetchBatches + 1), do not count; give at least " +
                          std::to_string(warmup + discarded + kFewWindowSteps)});
}

}  // namespace

base::Problems Advise(const RunSpec& spec) {
  base::Problems problems;
  AdviseOnWindow(spec, problems);
  return problems;
}

}  // namespace fairlap::api

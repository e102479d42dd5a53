// Which stage training waits for. Pure; the rule and what its figures mean are
// docs/measurement.md's, "Stalls", and are implemented here and nowhere else.
#ifndef FAIRLAP_WORKER_MEASURE_BOTTLENECK_H_
#define FAIRLAP_WORKER_MEASURE_BOTTLENECK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "lib/api/figures.h"
#include "worker/measure/figures.h"

namespace fairlap::measure {

// What the rule looks at; all of one window.
struct BottleneckFacts {
  double wall_seconds = 0, wait_seconds = 0;
  double exposed_copy_seconds = 0, exposed_all_reduce_seconds = 0;
  int64_t input_threads = 0;              // 0: no input pipeline, the data is synthetic
  InputSeconds busy = {};                 // of the input threads together
  std::optional<double> block_variation;  // of the 10 blocks; absent: too few steps to tell
};

BottleneckFacts FactsOf(const StepLog& log, const Window& window, int64_t input_threads);

struct BottleneckVerdict {
  api::Bottleneck bottleneck = api::Bottleneck::kNotMeasured;
  std::optional<api::Bottleneck> runner_up;  // a stage that is about as busy as the one named
  std::string reason;                        // for a person, with the figures that led to it
  // Shares of the wall time; absent without any. The last is absent without an input pipeline.
  std::optional<double> input_stall_share, exposed_copy_share, input_threads_busy_ratio;
};

// kNotMeasured where the window has too few steps for 10 blocks.
BottleneckVerdict JudgeBottleneck(const BottleneckFacts& facts);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_BOTTLENECK_H_

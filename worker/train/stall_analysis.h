// The stall analysis of docs/measurement.md: after the counted training the same loop is timed with
// random data on the device (t0), a host batch (t1), files that are not in the page cache (t2), the
// same files once they are (t3), and t1 again. Trains on with the network, at learning rate 0.
#ifndef FAIRLAP_WORKER_TRAIN_STALL_ANALYSIS_H_
#define FAIRLAP_WORKER_TRAIN_STALL_ANALYSIS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "lib/api/figures.h"
#include "lib/base/result.h"
#include "worker/model/network.h"
#include "worker/step/train_step.h"
#include "worker/train/batch_source.h"

namespace fairlap::train {

// What the analysis needs of the page cache: about the files of samples of the training split.
class StallCache {
 public:
  virtual ~StallCache() = default;
  // Takes the samples' files out of the page cache; the reads that follow are what WhyNotCold and
  // WhyNotWarm judge, once each, in this order. An error says why the files cannot be evicted.
  virtual base::Status Evict(std::span<const int64_t> samples, const std::stop_token& stop) = 0;
  // Why what was fetched since then does not prove that the cache was cold (warm).
  virtual std::optional<std::string> WhyNotCold() = 0;
  virtual std::optional<std::string> WhyNotWarm() = 0;
};

struct StallTask {
  model::Network& network;  // on the device, in training mode
  const data::Dataset& dataset;
  StallCache& cache;
  step::StepOptions step = {};
  PipelineSourceOptions files = {};       // epochs and read order are the analysis's own
  SyntheticSourceOptions synthetic = {};  // batches as large as those of the files
  // Of t2's files: what the page cache is sure to hold.
  int64_t most_bytes = 0;
};

// Steps before those that count: as in the window, and those that a CUDA graph needs.
int64_t StallDiscards(const StallTask& task);

// How many batches t2 and t3 read: at most kStallSteps and the discards, one epoch without its last
// partial batch, and `most_bytes`.
int64_t StallBatches(const StallTask& task);

// What went wrong is said in the result (StallState::kFailed); the only error is kInterrupted.
// libtorch's exceptions pass through.
base::Result<api::StallAnalysis> RunStallAnalysis(const StallTask& task, std::stop_token stop);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_STALL_ANALYSIS_H_

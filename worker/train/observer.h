// What the training loop tells while it runs. The loop knows nothing of metrics, reports or HTTP;
// the recorder (worker/report) implements this. Links no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_OBSERVER_H_
#define FAIRLAP_WORKER_TRAIN_OBSERVER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "lib/report/report.h"
#include "worker/data/pipeline.h"

namespace fairlap::train {

enum class Mark {
  kStagingDone,
  kCachePrepared,
  kDataIndexed,
  kModelReady,
  kFirstBatch,
  kFirstStep,
  kFirstEvaluation,
  kTargetReached,
};

enum class Phase {
  kStarting,
  kStaging,
  kIndexing,
  kPreparingCache,
  kTraining,
  kEvaluating,
  kFinishing,
};

// One finished training step. Seconds partition the step: wall = wait + copy + forward + backward +
// update + compute + other, from the end of the step before (or of the pause before) to the end of
// this one, device-completed. On a GPU forward, backward and update are device time from events,
// delivered a few steps late, in order.
struct StepRecord {
  int64_t step = 0;   // 0-based over the whole repeat
  int64_t epoch = 0;  // 0-based
  int64_t samples = 0;
  double wall_seconds = 0, wait_seconds = 0, copy_seconds = 0, forward_seconds = 0,
         backward_seconds = 0, update_seconds = 0, all_reduce_seconds = 0;
  double compute_seconds = 0;  // of a step replayed from a CUDA graph, instead of the three
  double loss = 0;             // mean over the batch
  double learning_rate = 0;
  bool after_pause = false;   // the first step after the start, an evaluation or a checkpoint
  int64_t ready_batches = 0;  // finished batches waiting when this step took its own
};

// One finished pass over the validation split.
struct EvaluationRecord {
  int64_t epoch = 0;  // the epoch it followed
  int64_t samples = 0;
  double seconds = 0;
  std::optional<double> top1, top5, loss, psnr_decibels;
  std::optional<double> input_psnr_decibels;  // of the noisy images: what denoising starts from
};

// What the storage.cache that was asked for came to (docs/measurement.md, "Cache state").
struct CacheRecord {
  api::CacheState state = api::CacheState::kUnverified;
  std::string reason;                     // what shows it, or what is missing; "" for asIs
  std::optional<double> prepare_seconds;  // wall time of evicting or warming; absent for asIs
};

// How much training was asked for, known before the first step.
struct TrainPlan {
  int64_t total_steps = 0;      // the most there can be: an accuracy target may end it earlier
  int64_t steps_per_epoch = 0;  // without bad files
};

// Called by the training thread only, in order; returns quickly (well below 1 % of a step). Facts
// are told as soon as they are known, so that an interrupted or failed repeat keeps what it had.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnPhase(Phase phase) = 0;
  virtual void OnMark(Mark mark) = 0;
  virtual void OnStep(const StepRecord& record) = 0;
  virtual void OnEpochEnd(int64_t epoch) = 0;  // after its last step, before its evaluation
  virtual void OnEvaluation(const EvaluationRecord& record) = 0;
  // Input-pipeline totals, before every OnStep that they belong to, and at the end.
  virtual void OnInput(const data::PipelineTotals& totals) = 0;
  // With staging: once it is known how much there is to copy, then some times a second, and when
  // the copy has ended, well or not. The facts only grow.
  virtual void OnStaging(const report::StagingFacts& /*facts*/) {}
  // After indexing; again at the end, when the bad files are known. Holds no staging, which was
  // told before.
  virtual void OnData(const report::DataFacts& facts) = 0;
  // Before training, and again when files have been read for the first time, which shows the state.
  virtual void OnCache(const CacheRecord& record) = 0;
  virtual void OnModel(const report::ModelFacts& facts) = 0;  // once the model is built
  virtual void OnPlan(const TrainPlan& plan) = 0;             // after OnData and OnModel
  // At every end of an epoch and at the end. Holds every_sample_once and samples_as_stop_rule (the
  // latter at the end of a repeat that was not cut short); the recorder knows the others itself.
  virtual void OnChecks(const report::Checks& checks) = 0;
};

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_OBSERVER_H_

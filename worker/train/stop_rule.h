// When training ends and when it is evaluated, as pure functions of the spec and of what was done.
// Links no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_STOP_RULE_H_
#define FAIRLAP_WORKER_TRAIN_STOP_RULE_H_

#include <cstdint>
#include <optional>

#include "lib/api/spec.h"
#include "lib/base/result.h"
#include "worker/train/observer.h"

namespace fairlap::train {

// What was done so far.
struct Progress {
  int64_t steps = 0;
  int64_t samples = 0;
  int64_t epochs = 0;  // whole ones
  bool target_reached = false;
};

// The size of the work, from the training split; the last batch of an epoch may be smaller.
TrainPlan MakePlan(const api::StopSpec& stop, int64_t samples, int64_t batch_size);

// The most epochs there can be; 0: as many as the steps take.
int64_t MostEpochs(const api::StopSpec& stop);

bool IsFinished(const api::StopSpec& stop, const Progress& progress);

// Whether a validation pass is due, `epochs` whole epochs being done. epochs: after the last one;
// accuracy: every everyEpochs and after the last one; steps: never.
bool EvaluatesAfter(const api::StopSpec& stop, int64_t epochs);

// Whether the evaluation is at or beyond the target (a loss: at or below). kInvalidInput if it does
// not have that metric.
base::Result<bool> ReachesTarget(const api::AccuracyStop& stop, const EvaluationRecord& evaluation);

// Whether the count of samples is what the rule asked for, given the number of bad files: each may
// have been left out once an epoch, from the first or only from a later one.
bool SamplesAsAsked(const api::StopSpec& stop, const Progress& progress, int64_t samples,
                    int64_t batch_size, int64_t bad_files);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_STOP_RULE_H_

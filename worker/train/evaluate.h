// One pass over a validation split.
#ifndef FAIRLAP_WORKER_TRAIN_EVALUATE_H_
#define FAIRLAP_WORKER_TRAIN_EVALUATE_H_

#include <stop_token>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/models/networks.h"
#include "worker/model/network.h"
#include "worker/step/precision.h"
#include "worker/train/batch_source.h"
#include "worker/train/observer.h"

namespace fairlap::train {

struct EvaluateOptions {
  models::Task task = models::Task::kClassification;
  torch::Device device{torch::kCPU};
  step::Precision precision = step::Precision::kFp32;
};

// Runs `network` in evaluation mode, without gradients, over all of `batches` (one epoch, a last
// partial batch included) and puts it back into training mode. Accuracies are shares of the
// samples, the loss is their mean cross-entropy without label smoothing (denoising: mean absolute
// error), absent if not finite; top5 with fewer than five classes counts all of them. PSNR: mean
// over the samples of 10 log10(1 / mean square error), the peak of normalised images being 1, at
// most 100. `epoch` of the record is left to the caller. kInvalidInput if there was no readable
// sample.
base::Result<EvaluationRecord> Evaluate(model::Network& network, BatchSource& batches,
                                        const EvaluateOptions& options, const base::Clock& clock,
                                        std::stop_token stop);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_EVALUATE_H_

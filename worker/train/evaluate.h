// One pass over a validation split.
#ifndef FAIRLAP_WORKER_TRAIN_EVALUATE_H_
#define FAIRLAP_WORKER_TRAIN_EVALUATE_H_

#include <stop_token>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "worker/model/network.h"
#include "worker/train/batch_source.h"
#include "worker/train/observer.h"

namespace fairlap::train {

// Runs `network` in evaluation mode, without gradients, over all of `batches` (one epoch, a last
// partial batch included) and puts it back into training mode. Accuracies are shares of the
// samples, the loss is their mean cross-entropy without label smoothing, absent if not finite; top5
// with fewer than five classes counts all of them. `epoch` of the record is left to the caller.
// kInvalidInput if there was no readable sample.
base::Result<EvaluationRecord> Evaluate(model::Network& network, BatchSource& batches,
                                        const base::Clock& clock, std::stop_token stop);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_EVALUATE_H_

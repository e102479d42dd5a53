// What training makes small.
#ifndef FAIRLAP_WORKER_STEP_LOSS_H_
#define FAIRLAP_WORKER_STEP_LOSS_H_

#include <torch/torch.h>

#include "lib/models/networks.h"
#include "worker/model/network.h"

namespace fairlap::step {

struct LossOptions {
  models::Task task = models::Task::kClassification;
  double label_smoothing = 0;  // classification
};

// Mean over the batch, float32, whatever the prediction's type. Classification: cross-entropy, plus
// 0.4 times that of the auxiliary prediction where there is one (torchvision's references).
// Denoising: mean absolute error, CARE's default.
torch::Tensor Loss(const model::Prediction& prediction, const torch::Tensor& targets,
                   const LossOptions& options);

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_LOSS_H_

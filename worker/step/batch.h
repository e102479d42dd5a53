// One batch where the network is.
#ifndef FAIRLAP_WORKER_STEP_BATCH_H_
#define FAIRLAP_WORKER_STEP_BATCH_H_

#include <torch/torch.h>

namespace fairlap::step {

struct DeviceBatch {
  torch::Tensor images;   // N x C x S x S float32, in the network's memory format
  torch::Tensor targets;  // N int64 labels; for denoising N x 1 x S x S float32, the clean images
};

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_BATCH_H_

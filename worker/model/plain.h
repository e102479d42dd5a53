// The networks that are one chain of layers: feature layers, a pooling to a fixed size, and a
// classifier of fully connected layers.
#ifndef FAIRLAP_WORKER_MODEL_PLAIN_H_
#define FAIRLAP_WORKER_MODEL_PLAIN_H_

#include <torch/torch.h>

#include <cstdint>

#include "worker/model/network.h"

namespace fairlap::model {

// Registered as "features" and "classifier".
class PlainNetwork : public Network {
 public:
  // `pooled_edge`: pixels an edge of what the classifier sees.
  PlainNetwork(torch::nn::Sequential features, int64_t pooled_edge,
               torch::nn::Sequential classifier);
  Prediction Forward(torch::Tensor images) override;

 private:
  torch::nn::Sequential features_, classifier_;
  int64_t pooled_edge_;
};

// A rectifier that overwrites its input, and a 3x3 or 2x2 maximum of stride 2, as layers.
torch::nn::ReLU Rectifier();
torch::nn::MaxPool2d MaxPool(int64_t kernel);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_PLAIN_H_

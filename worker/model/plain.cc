#include "worker/model/plain.h"

#include <utility>

namespace fairlap::model {

PlainNetwork::PlainNetwork(torch::nn::Sequential features, int64_t pooled_edge,
                           torch::nn::Sequential classifier)
    : features_(register_module("features", std::move(features))),
      classifier_(register_module("classifier", std::move(classifier))),
      pooled_edge_(pooled_edge) {}

Prediction PlainNetwork::Forward(torch::Tensor images) {
  torch::Tensor x = RunLayers(features_, std::move(images));
  // The identity at the published image size, where pooling would only copy.
  if (x.size(2) != pooled_edge_ || x.size(3) != pooled_edge_) {
    x = torch::adaptive_avg_pool2d(x, {pooled_edge_, pooled_edge_});
  }
  return {.output = RunLayers(classifier_, torch::flatten(x, 1)), .auxiliary = {}};
}

torch::nn::ReLU Rectifier() { return torch::nn::ReLU(torch::nn::ReLUOptions().inplace(true)); }

torch::nn::MaxPool2d MaxPool(int64_t kernel) {
  return torch::nn::MaxPool2d(torch::nn::MaxPool2dOptions(kernel).stride(2));
}

}  // namespace fairlap::model

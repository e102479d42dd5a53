#include "worker/model/layers.h"

namespace fairlap::model {

torch::nn::Conv2d Convolution(int64_t in_channels, int64_t out_channels, int64_t kernel,
                              int64_t stride) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in_channels, out_channels, kernel)
                               .stride(stride)
                               .padding(kernel / 2)
                               .bias(false));
}

torch::nn::Conv2d BiasedConvolution(int64_t in_channels, int64_t out_channels, int64_t kernel,
                                    int64_t stride, int64_t padding) {
  return torch::nn::Conv2d(
      torch::nn::Conv2dOptions(in_channels, out_channels, kernel).stride(stride).padding(padding));
}

torch::Tensor AveragePlanes(const torch::Tensor& activation) {
  return torch::flatten(torch::adaptive_avg_pool2d(activation, {1, 1}), 1);
}

void InitialiseForRectifiers(torch::nn::Module& network) {
  for (const auto& module : network.modules(/*include_self=*/false)) {
    if (auto* convolution = module->as<torch::nn::Conv2d>()) {
      torch::nn::init::kaiming_normal_(convolution->weight, 0.0, torch::kFanOut, torch::kReLU);
      if (convolution->bias.defined()) torch::nn::init::zeros_(convolution->bias);
    } else if (auto* norm = module->as<torch::nn::BatchNorm2d>()) {
      torch::nn::init::ones_(norm->weight);
      torch::nn::init::zeros_(norm->bias);
    }
  }
}

}  // namespace fairlap::model

#include "worker/model/network.h"

namespace fairlap::model {
namespace {

void ThrowIfStopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Interrupted();
}

}  // namespace

torch::Tensor Network::BetweenBlocks(torch::Tensor activation) const {
  ThrowIfStopped(stop_);
  if (stop_.stop_possible() && activation.requires_grad()) {
    activation.register_hook([stop = stop_](const torch::Tensor&) { ThrowIfStopped(stop); });
  }
  return activation;
}

torch::Tensor Network::RunLayers(torch::nn::Sequential& layers, torch::Tensor activation) const {
  for (auto& layer : *layers) activation = BetweenBlocks(layer.forward(std::move(activation)));
  return activation;
}

void DisableDropout(torch::nn::Module& network) {
  for (const auto& module : network.modules(/*include_self=*/false)) {
    if (auto* dropout = module->as<torch::nn::Dropout>()) dropout->options.p(0.0);
  }
}

}  // namespace fairlap::model

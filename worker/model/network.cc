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

}  // namespace fairlap::model

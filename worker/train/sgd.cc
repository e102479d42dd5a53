#include "worker/train/sgd.h"

#include <utility>

namespace fairlap::train {
namespace {

std::vector<torch::Tensor> Gradients(const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const torch::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

}  // namespace

SgdOptions MakeSgdOptions(const api::OptimizerSpec& spec) {
  SgdOptions options{.momentum = spec.momentum.Value(),
                     .nesterov = spec.nesterov,
                     .weight_decay = spec.weight_decay.Value(),
                     .decay_norm_and_bias = spec.decay_norm_and_bias,
                     .gradient_clip_norm = {}};
  if (spec.gradient_clip_norm) options.gradient_clip_norm = spec.gradient_clip_norm->Value();
  return options;
}

Sgd::Sgd(const std::vector<torch::Tensor>& parameters, const SgdOptions& options)
    : options_(options) {
  Group decayed{.parameters = {}, .momenta = {}, .weight_decay = options.weight_decay};
  Group undecayed;
  for (const torch::Tensor& parameter : parameters) {
    const bool decays = options.decay_norm_and_bias || parameter.dim() > 1;
    (decays ? decayed : undecayed).parameters.push_back(parameter);
  }
  for (Group* group : {&decayed, &undecayed}) {
    if (group->parameters.empty()) continue;
    if (options.momentum != 0) {
      // Zeros make the first step the same as torch.optim.SGD's, which starts from the gradient.
      for (const torch::Tensor& p : group->parameters) {
        group->momenta.push_back(torch::zeros_like(p.detach()));
      }
    }
    groups_.push_back(std::move(*group));
  }
}

void Sgd::ZeroGradients() {
  for (Group& group : groups_) {
    for (torch::Tensor& parameter : group.parameters) parameter.mutable_grad().reset();
  }
}

void Sgd::Step(double learning_rate) {
  const torch::NoGradGuard no_grad;
  if (options_.gradient_clip_norm) ClipGradients();
  for (Group& group : groups_) Update(group, learning_rate);
}

void Sgd::Update(Group& group, double learning_rate) {
  at::_fused_sgd_(group.parameters, Gradients(group.parameters), group.momenta, group.weight_decay,
                  options_.momentum, learning_rate, /*dampening=*/0.0, options_.nesterov,
                  /*maximize=*/false, /*is_first_step=*/false);
}

// Without reading the norm on the host, which would wait for the device.
void Sgd::ClipGradients() {
  std::vector<torch::Tensor> gradients;
  for (const Group& group : groups_) {
    for (torch::Tensor& gradient : Gradients(group.parameters)) {
      gradients.push_back(std::move(gradient));
    }
  }
  const torch::Tensor norm = torch::stack(at::_foreach_norm(gradients)).norm();
  at::_foreach_mul_(gradients, (*options_.gradient_clip_norm / (norm + 1e-6)).clamp_max(1.0));
}

}  // namespace fairlap::train

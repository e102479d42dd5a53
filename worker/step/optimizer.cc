#include "worker/step/optimizer.h"

#include <utility>

namespace fairlap::step {
namespace {

std::vector<torch::Tensor> ZerosLike(const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> zeros;
  zeros.reserve(parameters.size());
  for (const torch::Tensor& parameter : parameters) {
    zeros.push_back(torch::zeros_like(parameter.detach()));
  }
  return zeros;
}

std::optional<torch::Tensor> IfDefined(const torch::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

}  // namespace

Optimizer::Optimizer(const std::vector<torch::Tensor>& parameters, const OptimizerOptions& options)
    : options_(options) {
  Group decayed, undecayed;
  decayed.weight_decay = options.weight_decay;
  for (const torch::Tensor& parameter : parameters) {
    const bool decays = options.decay_norm_and_bias || parameter.dim() > 1;
    (decays ? decayed : undecayed).parameters.push_back(parameter);
  }
  AddGroup(std::move(decayed));
  AddGroup(std::move(undecayed));
}

void Optimizer::AddGroup(Group group) {
  if (group.parameters.empty()) return;
  const bool adam = options_.algorithm != Algorithm::kSgd;
  // Zeros make the first step the same as torch.optim.SGD's, which starts from the gradient.
  if (adam || options_.momentum != 0) group.first = ZerosLike(group.parameters);
  if (adam) {
    group.second = ZerosLike(group.parameters);
    const torch::Tensor step =
        torch::zeros({}, torch::dtype(torch::kFloat32).device(group.parameters[0].device()));
    group.steps.assign(group.parameters.size(), step);
  }
  groups_.push_back(std::move(group));
}

std::vector<torch::Tensor> Optimizer::Group::Gradients() const {
  std::vector<torch::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const torch::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

std::vector<torch::Tensor> Optimizer::Gradients() const {
  std::vector<torch::Tensor> gradients;
  for (const Group& group : groups_) {
    for (torch::Tensor& gradient : group.Gradients()) gradients.push_back(std::move(gradient));
  }
  return gradients;
}

void Optimizer::ZeroGradients() {
  for (Group& group : groups_) {
    for (torch::Tensor& parameter : group.parameters) parameter.mutable_grad().reset();
  }
}

void Optimizer::Step(double learning_rate, const torch::Tensor& found_infinity) {
  StepAll(learning_rate, found_infinity);
}

void Optimizer::Step(const torch::Tensor& learning_rate, const torch::Tensor& found_infinity) {
  StepAll(learning_rate, found_infinity);
}

template <class Rate>
void Optimizer::StepAll(const Rate& learning_rate, const torch::Tensor& found_infinity) {
  const torch::NoGradGuard no_grad;
  if (options_.gradient_clip_norm) ClipGradients();
  for (Group& group : groups_) Update(group, learning_rate, found_infinity);
}

template <class Rate>
void Optimizer::Update(Group& group, const Rate& learning_rate,
                       const torch::Tensor& found_infinity) {
  const auto infinity = IfDefined(found_infinity);
  const std::vector<torch::Tensor> gradients = group.Gradients();
  if (options_.algorithm == Algorithm::kSgd) {
    at::_fused_sgd_(group.parameters, gradients, group.first, group.weight_decay, options_.momentum,
                    learning_rate, /*dampening=*/0.0, options_.nesterov,
                    /*maximize=*/false, /*is_first_step=*/false, /*grad_scale=*/{}, infinity);
    return;
  }
  group.steps[0] += 1;
  if (infinity) group.steps[0] -= *infinity;
  const auto update = [&](const auto& fused) {
    const at::TensorList no_maxima;  // of the AMSGrad variant
    fused(group.parameters, gradients, group.first, group.second, no_maxima, group.steps,
          learning_rate, options_.beta1, options_.beta2, group.weight_decay, options_.epsilon,
          /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/std::optional<torch::Tensor>(),
          infinity);
  };
  if (options_.algorithm == Algorithm::kAdam) {
    update([](auto&&... arguments) { at::_fused_adam_(arguments...); });
  } else {
    update([](auto&&... arguments) { at::_fused_adamw_(arguments...); });
  }
}

// Without reading the norm on the host, which would wait for the device.
void Optimizer::ClipGradients() {
  const std::vector<torch::Tensor> gradients = Gradients();
  const torch::Tensor norm = torch::stack(at::_foreach_norm(gradients)).norm();
  at::_foreach_mul_(gradients, (*options_.gradient_clip_norm / (norm + 1e-6)).clamp_max(1.0));
}

}  // namespace fairlap::step

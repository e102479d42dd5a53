#include "worker/step/loss.h"

namespace fairlap::step {
namespace {

namespace F = torch::nn::functional;

constexpr double kAuxiliaryWeight = 0.4;

torch::Tensor CrossEntropy(const torch::Tensor& logits, const torch::Tensor& labels,
                           double label_smoothing) {
  return F::cross_entropy(logits.to(torch::kFloat32), labels,
                          F::CrossEntropyFuncOptions().label_smoothing(label_smoothing));
}

}  // namespace

torch::Tensor Loss(const model::Prediction& prediction, const torch::Tensor& targets,
                   const LossOptions& options) {
  if (options.task == models::Task::kDenoising) {
    return torch::l1_loss(prediction.output.to(torch::kFloat32), targets);
  }
  torch::Tensor loss = CrossEntropy(prediction.output, targets, options.label_smoothing);
  if (prediction.auxiliary.defined()) {
    loss = loss +
           kAuxiliaryWeight * CrossEntropy(prediction.auxiliary, targets, options.label_smoothing);
  }
  return loss;
}

}  // namespace fairlap::step

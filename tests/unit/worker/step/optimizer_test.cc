#include "worker/step/optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fairlap::step {
namespace {

std::vector<torch::Tensor> Parameters() {
  torch::manual_seed(3);
  std::vector<torch::Tensor> parameters;
  for (const auto& shape : std::vector<std::vector<int64_t>>{{4, 3, 3, 3}, {4}, {5, 4}}) {
    parameters.push_back(torch::randn(shape).requires_grad_());
  }
  return parameters;
}

// A loss whose gradient depends on the parameters.
torch::Tensor Loss(const std::vector<torch::Tensor>& parameters) {
  torch::Tensor loss = torch::zeros({});
  for (const torch::Tensor& p : parameters) loss = loss + (p * p * p).sum() + p.sin().sum();
  return loss;
}

double LargestDifference(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, (a[i] - b[i]).abs().max().item<double>());
  }
  return largest;
}

// Five steps of ours and of libtorch's own optimizer, which loops over the tensors.
template <class Reference>
void ExpectAsTorch(const OptimizerOptions& options, const auto& reference_options) {
  const auto ours = Parameters(), theirs = Parameters();
  Optimizer optimizer(ours, options);
  Reference reference(theirs, reference_options);
  for (int step = 0; step < 5; ++step) {
    optimizer.ZeroGradients();
    Loss(ours).backward();
    optimizer.Step(0.05);
    reference.zero_grad();
    Loss(theirs).backward();
    reference.step();
  }
  EXPECT_GT(LargestDifference(ours, Parameters()), 0.01);
  EXPECT_LT(LargestDifference(ours, theirs), 1e-5);
}

void ExpectAsTorchSgd(const OptimizerOptions& options) {
  ExpectAsTorch<torch::optim::SGD>(options, torch::optim::SGDOptions(0.05)
                                                .momentum(options.momentum)
                                                .nesterov(options.nesterov)
                                                .weight_decay(options.weight_decay));
}

TEST(Sgd, UpdatesAsTorchWithMomentumAndWeightDecay) {
  ExpectAsTorchSgd({.momentum = 0.9, .weight_decay = 0.01, .gradient_clip_norm = {}});
}

TEST(Sgd, UpdatesAsTorchWithNesterovMomentum) {
  ExpectAsTorchSgd({.momentum = 0.9, .nesterov = true, .gradient_clip_norm = {}});
}

TEST(Sgd, UpdatesAsTorchWithoutMomentum) {
  ExpectAsTorchSgd({.weight_decay = 0.01, .gradient_clip_norm = {}});
}

TEST(Adam, UpdatesAsTorchWithTheDecayInTheGradient) {
  ExpectAsTorch<torch::optim::Adam>(
      {.algorithm = Algorithm::kAdam,
       .beta1 = 0.8,
       .beta2 = 0.99,
       .epsilon = 1e-6,
       .weight_decay = 0.1,
       .gradient_clip_norm = {}},
      torch::optim::AdamOptions(0.05).betas({0.8, 0.99}).eps(1e-6).weight_decay(0.1));
}

TEST(AdamW, UpdatesAsTorchWithTheDecayApart) {
  ExpectAsTorch<torch::optim::AdamW>(
      {.algorithm = Algorithm::kAdamW, .weight_decay = 0.1, .gradient_clip_norm = {}},
      torch::optim::AdamWOptions(0.05).weight_decay(0.1));
}

class EveryAlgorithm : public testing::TestWithParam<Algorithm> {};

TEST_P(EveryAlgorithm, TakesTheRateFromATensorAsFromANumber) {
  const auto with_number = Parameters(), with_tensor = Parameters();
  const OptimizerOptions options{.algorithm = GetParam(), .gradient_clip_norm = {}};
  Optimizer number(with_number, options), tensor(with_tensor, options);
  Loss(with_number).backward();
  Loss(with_tensor).backward();
  number.Step(0.25);
  tensor.Step(torch::full({}, 0.25, torch::kFloat32));
  EXPECT_LT(LargestDifference(with_number, with_tensor), 1e-6);
}

TEST_P(EveryAlgorithm, ChangesNothingWhereAGradientWasNotFinite) {
  const auto skipped = Parameters(), before = Parameters(), straight = Parameters();
  const OptimizerOptions options{
      .algorithm = GetParam(), .momentum = 0.9, .weight_decay = 0.1, .gradient_clip_norm = {}};
  Optimizer optimizer(skipped, options), reference(straight, options);
  Loss(skipped).backward();
  optimizer.Step(0.1, torch::ones({}));
  EXPECT_EQ(LargestDifference(skipped, before), 0);
  // Nor does it count as a step.
  optimizer.Step(0.1, torch::zeros({}));
  Loss(straight).backward();
  reference.Step(0.1);
  EXPECT_LT(LargestDifference(skipped, straight), 1e-7);
}

TEST_P(EveryAlgorithm, LeavesVectorsUndecayedOnRequest) {
  const auto parameters = Parameters(), before = Parameters();
  Optimizer optimizer(parameters, {.algorithm = GetParam(),
                                   .weight_decay = 0.5,
                                   .decay_norm_and_bias = false,
                                   .gradient_clip_norm = {}});
  torch::Tensor loss = torch::zeros({});
  for (const torch::Tensor& p : parameters) loss = loss + 0 * p.sum();
  loss.backward();
  optimizer.Step(1.0);
  EXPECT_FALSE(torch::allclose(parameters[0], before[0]));
  EXPECT_TRUE(torch::equal(parameters[1], before[1]));
}

INSTANTIATE_TEST_SUITE_P(Optimizer, EveryAlgorithm,
                         testing::Values(Algorithm::kSgd, Algorithm::kAdam, Algorithm::kAdamW));

TEST(Optimizer, ScalesAllGradientsToTheClippedNorm) {
  const auto parameters = Parameters(), before = Parameters();
  Optimizer optimizer(parameters, {.gradient_clip_norm = 0.25});
  (1000 * Loss(parameters)).backward();
  optimizer.Step(1.0);
  double square = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    square += (parameters[i] - before[i]).square().sum().item<double>();
  }
  EXPECT_NEAR(std::sqrt(square), 0.25, 1e-4);
}

}  // namespace
}  // namespace fairlap::step

#include "worker/train/sgd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fairlap::train {
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

void ExpectAsTorch(const SgdOptions& options) {
  const auto ours = Parameters(), theirs = Parameters();
  Sgd sgd(ours, options);
  torch::optim::SGD reference(theirs, torch::optim::SGDOptions(0.05)
                                          .momentum(options.momentum)
                                          .nesterov(options.nesterov)
                                          .weight_decay(options.weight_decay));
  for (int step = 0; step < 5; ++step) {
    sgd.ZeroGradients();
    Loss(ours).backward();
    sgd.Step(0.05);
    reference.zero_grad();
    Loss(theirs).backward();
    reference.step();
  }
  EXPECT_GT(LargestDifference(ours, Parameters()), 0.01);
  EXPECT_LT(LargestDifference(ours, theirs), 1e-5);
}

TEST(Sgd, UpdatesAsTorchWithMomentumAndWeightDecay) {
  ExpectAsTorch({.momentum = 0.9, .weight_decay = 0.01, .gradient_clip_norm = {}});
}

TEST(Sgd, UpdatesAsTorchWithNesterovMomentum) {
  ExpectAsTorch({.momentum = 0.9, .nesterov = true, .gradient_clip_norm = {}});
}

TEST(Sgd, UpdatesAsTorchWithoutMomentum) {
  ExpectAsTorch({.weight_decay = 0.01, .gradient_clip_norm = {}});
}

TEST(Sgd, LeavesVectorsUndecayedOnRequest) {
  const auto parameters = Parameters(), before = Parameters();
  Sgd sgd(parameters,
          {.weight_decay = 0.5, .decay_norm_and_bias = false, .gradient_clip_norm = {}});
  torch::Tensor loss = torch::zeros({});
  for (const torch::Tensor& p : parameters) loss = loss + 0 * p.sum();
  loss.backward();
  sgd.Step(1.0);
  EXPECT_TRUE(torch::allclose(parameters[0], 0.5 * before[0]));
  EXPECT_TRUE(torch::equal(parameters[1], before[1]));
}

TEST(Sgd, ScalesAllGradientsToTheClippedNorm) {
  const auto parameters = Parameters(), before = Parameters();
  Sgd sgd(parameters, {.gradient_clip_norm = 0.25});
  (1000 * Loss(parameters)).backward();
  sgd.Step(1.0);
  double square = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    square += (parameters[i] - before[i]).square().sum().item<double>();
  }
  EXPECT_NEAR(std::sqrt(square), 0.25, 1e-4);
}

}  // namespace
}  // namespace fairlap::train

#include "worker/step/train_step.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "worker/model/registry.h"

namespace fairlap::step {
namespace {

DeviceBatch Batch(int64_t size) {
  torch::manual_seed(2);
  return {.images = torch::randn({size, 3, 16, 16}),
          .targets = torch::randint(10, {size}, torch::kInt64)};
}

StepOptions Options(Precision precision) {
  StepOptions options;
  options.precision = precision;
  options.optimizer.momentum = 0.9;
  return options;
}

std::shared_ptr<model::Network> Network() {
  torch::manual_seed(1);
  return model::MakeNetwork("resnet20v1", 10);
}

std::vector<double> Losses(const StepOptions& options, int steps) {
  const auto network = Network();
  TrainStep step(*network, options);
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) losses.push_back(step.Run(Batch(16), 0.02).item<double>());
  return losses;
}

class EveryPrecision : public testing::TestWithParam<Precision> {};

TEST_P(EveryPrecision, LearnsABatchByHeart) {
  const auto losses = Losses(Options(GetParam()), 12);
  EXPECT_LT(losses.back(), losses.front() / 2);
}

TEST_P(EveryPrecision, KeepsWeightsAndGradientsInSinglePrecision) {
  const auto network = Network();
  TrainStep step(*network, Options(GetParam()));
  step.Run(Batch(8), 0.02);
  for (const torch::Tensor& parameter : network->parameters()) {
    EXPECT_EQ(parameter.dtype(), torch::kFloat32);
    EXPECT_EQ(parameter.grad().dtype(), torch::kFloat32);
  }
}

INSTANTIATE_TEST_SUITE_P(TrainStep, EveryPrecision,
                         testing::Values(Precision::kFp32, Precision::kBf16, Precision::kFp16));

TEST(TrainStep, ComputesInHalfPrecisionAndNearlyTheSame) {
  const double exact = Losses(Options(Precision::kFp32), 1)[0];
  for (const Precision precision : {Precision::kBf16, Precision::kFp16}) {
    const double rounded = Losses(Options(precision), 1)[0];
    EXPECT_NE(rounded, exact);
    EXPECT_NEAR(rounded, exact, 0.03 * exact);
  }
}

TEST(TrainStep, GivesTheSameLossesAgain) {
  EXPECT_EQ(Losses(Options(Precision::kFp32), 5), Losses(Options(Precision::kFp32), 5));
}

// Whatever the scale starts from, an overflowing step is left out and the scale falls until it
// fits.
TEST(TrainStep, LeavesOutStepsWhoseScaledGradientsOverflow) {
  const auto network = Network();
  TrainStep step(*network, Options(Precision::kFp16));
  DeviceBatch batch = Batch(16);
  batch.images *= 1e6;
  const torch::Tensor before = network->parameters()[0].detach().clone();
  step.Run(batch, 0.02);
  EXPECT_EQ(step.SkippedUpdates(), 1);
  EXPECT_TRUE(torch::equal(network->parameters()[0], before));
}

TEST(TrainStep, TellsWhenTheHostHasIssuedEachPass) {
  const auto network = Network();
  TrainStep step(*network, Options(Precision::kFp32));
  std::string order;
  step.Run(Batch(4), 0.1,
           {.forward = [&] { order += "forward "; }, .backward = [&] { order += "backward"; }});
  EXPECT_EQ(order, "forward backward");
}

TEST(WhyRefused, SaysWhatNeedsAGpu) {
  StepOptions options = Options(Precision::kTf32);
  EXPECT_EQ(WhyRefused(options), "precision tf32 needs a GPU");
  options = Options(Precision::kFp32);
  options.cuda_graphs = true;
  EXPECT_EQ(WhyRefused(options), "CUDA graphs need a GPU");
  EXPECT_EQ(WhyRefused(Options(Precision::kBf16)), "");
}

TEST(DisableDropout, MakesAForwardPassRepeatableInTraining) {
  const auto network = model::MakeNetwork("alexnet", 10);
  const torch::Tensor images = torch::randn({2, 3, 63, 63});
  const torch::NoGradGuard no_grad;
  const auto output = [&] { return network->Forward(images).output; };
  EXPECT_FALSE(torch::equal(output(), output()));
  model::DisableDropout(*network);
  EXPECT_TRUE(torch::equal(output(), output()));
}

}  // namespace
}  // namespace fairlap::step

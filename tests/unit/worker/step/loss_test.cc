#include "worker/step/loss.h"

#include <gtest/gtest.h>

namespace fairlap::step {
namespace {

TEST(Loss, OfAClassifierAddsFourTenthsOfTheAuxiliaryHead) {
  torch::manual_seed(1);
  const torch::Tensor logits = torch::randn({4, 3}), auxiliary = torch::randn({4, 3});
  const torch::Tensor labels = torch::tensor({0, 2, 1, 1}, torch::kInt64);
  const auto loss = [&](const model::Prediction& prediction) {
    return Loss(prediction, labels, {}).item<double>();
  };
  EXPECT_NEAR(loss({.output = logits, .auxiliary = auxiliary}),
              loss({.output = logits, .auxiliary = {}}) +
                  0.4 * loss({.output = auxiliary, .auxiliary = {}}),
              1e-6);
}

TEST(Loss, OfADenoiserIsTheMeanAbsoluteError) {
  const torch::Tensor cleaned = torch::full({2, 1, 4, 4}, 0.5), clean = torch::ones({2, 1, 4, 4});
  const torch::Tensor loss =
      Loss({.output = cleaned, .auxiliary = {}}, clean, {.task = models::Task::kDenoising});
  EXPECT_NEAR(loss.item<double>(), 0.5, 1e-6);
}

TEST(Loss, IsOfSinglePrecisionWhateverThePredictionIs) {
  const torch::Tensor logits = torch::randn({4, 3}).to(torch::kBFloat16);
  const torch::Tensor labels = torch::zeros({4}, torch::kInt64);
  EXPECT_EQ(Loss({.output = logits, .auxiliary = {}}, labels, {}).dtype(), torch::kFloat32);
}

}  // namespace
}  // namespace fairlap::step

#include "worker/model/registry.h"

#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <ostream>
#include <string>

#include "worker/model/network.h"

namespace fairlap::models {

// What GoogleTest calls a parameter.
static void PrintTo(const NetworkFacts& facts, std::ostream* out) { *out << facts.name; }

}  // namespace fairlap::models

namespace fairlap::model {
namespace {

using models::NetworkFacts;
using models::Task;

int64_t CountParameters(const Network& network) {
  int64_t count = 0;
  for (const torch::Tensor& parameter : network.parameters()) count += parameter.numel();
  return count;
}

torch::Tensor Images(const NetworkFacts& facts, int64_t count, int64_t edge) {
  return torch::randn({count, facts.channels, edge, edge});
}

class EveryNetwork : public testing::TestWithParam<NetworkFacts> {
 protected:
  static const NetworkFacts& facts() { return GetParam(); }
  static std::shared_ptr<Network> Make(int64_t classes) {
    return MakeNetwork(facts().name, classes);
  }
  static std::shared_ptr<Network> MakePublished() { return Make(facts().classes); }
};

TEST_P(EveryNetwork, HasTheNumberOfParametersOfTheTable) {
  EXPECT_EQ(CountParameters(*MakePublished()), facts().parameters);
}

// "25,557,032" to the digit, "0.27 M" to the last digit given.
void ExpectPublished(const NetworkFacts& facts) {
  std::string text(facts.published);
  std::erase(text, ',');
  size_t digits = 0;
  const double value = std::stod(text, &digits);
  const double unit = text.ends_with(" M") ? 1e6 : text.ends_with(" k") ? 1e3 : 1;
  const size_t point = text.find('.');
  const auto decimals = point == std::string::npos ? 0.0 : static_cast<double>(digits - point - 1);
  const double last_digit = unit * std::pow(10.0, -decimals);
  EXPECT_LE(std::abs(static_cast<double>(facts.parameters) - value * unit), last_digit / 2)
      << facts.name;
}

TEST(AllNetworks, HaveThePublishedNumberOfParametersWhereOneWasPublished) {
  int published = 0;
  for (const NetworkFacts& facts : models::AllNetworks()) {
    if (facts.published.empty()) continue;
    ++published;
    ExpectPublished(facts);
  }
  EXPECT_EQ(published, 12);
}

TEST_P(EveryNetwork, MapsTheSmallestImagesToItsPredictionInBothMemoryFormats) {
  const auto network = Make(7);
  const int64_t edge = facts().smallest_image_size;
  const torch::Tensor images = Images(facts(), 2, edge);
  network->eval();
  const torch::NoGradGuard no_grad;
  const torch::Tensor output = network->Forward(images).output;
  const bool classifies = facts().task == Task::kClassification;
  EXPECT_EQ(output.sizes(), classifies ? std::vector<int64_t>({2, 7}) : images.sizes().vec());
  const torch::Tensor last =
      network->Forward(images.contiguous(torch::MemoryFormat::ChannelsLast)).output;
  EXPECT_TRUE(torch::allclose(output, last, 1e-3, 1e-4));
}

TEST_P(EveryNetwork, StartsFromTheSeedAlone) {
  torch::manual_seed(5);
  const auto first = Make(10);
  torch::manual_seed(5);
  const auto again = Make(10);
  torch::manual_seed(6);
  const auto other = Make(10);
  EXPECT_TRUE(torch::equal(first->parameters()[0], again->parameters()[0]));
  EXPECT_FALSE(torch::equal(first->parameters()[0], other->parameters()[0]));
}

TEST_P(EveryNetwork, LeavesForwardAndBackwardWhenStopped) {
  const auto network = Make(10);
  const torch::Tensor images = Images(facts(), 2, facts().smallest_image_size);
  std::stop_source stop;
  network->StopWith(stop.get_token());
  const torch::Tensor loss = network->Forward(images).output.sum();
  stop.request_stop();
  EXPECT_THROW(loss.backward(), Interrupted);
  EXPECT_THROW(network->Forward(images), Interrupted);
}

// Counts the multiply-adds of the convolutions and matrix products that the framework runs.
class MultiplyAdds {
 public:
  MultiplyAdds() {
    total = 0;
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(Count).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  }
  ~MultiplyAdds() { at::removeCallback(handle_); }
  int64_t Total() const { return total; }

 private:
  // Each output value of a layer takes as many as one filter, or one row, has weights.
  static std::unique_ptr<at::ObserverContext> Count(const at::RecordFunction& function) {
    const std::string name = function.name();
    const auto inputs = function.inputs();
    if (name == "aten::_convolution") {
      const at::Tensor x = inputs[0].toTensor(), weight = inputs[1].toTensor();
      const auto stride = inputs[3].toIntVector(), padding = inputs[4].toIntVector();
      int64_t positions = x.size(0);
      for (int64_t d = 0; d < 2; ++d) {
        const auto i = static_cast<size_t>(d);
        positions *= (x.size(d + 2) + 2 * padding[i] - weight.size(d + 2)) / stride[i] + 1;
      }
      total += positions * weight.numel();
    } else if (name == "aten::addmm") {
      total += inputs[1].toTensor().size(0) * inputs[2].toTensor().numel();
    }
    return nullptr;
  }

  static inline std::atomic<int64_t> total{0};
  at::CallbackHandle handle_;
};

TEST_P(EveryNetwork, TakesTheMultiplyAddsOfTheTable) {
#ifndef NDEBUG
  GTEST_SKIP() << "libtorch's RecordFunction has another layout in a debug build than in its own";
#endif
  const auto network = MakePublished();
  DisableDropout(*network);
  const torch::NoGradGuard no_grad;
  const MultiplyAdds counted;
  // Two images, since normalising a single value over one image is refused.
  network->Forward(Images(facts(), 2, facts().image_size));
  EXPECT_EQ(counted.Total() / 2, facts().multiply_adds);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryNetwork,
                         testing::ValuesIn(models::AllNetworks().begin(),
                                           models::AllNetworks().end()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(MakeNetwork, KnowsNoOtherName) { EXPECT_EQ(MakeNetwork("lenet", 10), nullptr); }

TEST(MakeInceptionV3, HasItsAuxiliaryPredictionInTrainingAlone) {
  const auto network = MakeNetwork("inceptionv3", 5);
  const torch::Tensor images = torch::randn({2, 3, 299, 299});
  const torch::NoGradGuard no_grad;
  EXPECT_EQ(network->Forward(images).auxiliary.sizes(), (std::vector<int64_t>{2, 5}));
  network->eval();
  EXPECT_FALSE(network->Forward(images).auxiliary.defined());
}

// ResNet-50 v1.5: the 3x3 convolution of a stage's first block halves the image, the 1x1 before
// does not.
TEST(MakeBottleneckResNet, StridesInTheThreeByThreeConvolution) {
  const auto network = MakeNetwork("resnet50", 10);
  const auto modules = network->named_modules();
  const auto stride = [&](const std::string& name) {
    return (*modules[name]->as<torch::nn::Conv2d>()).options.stride()->at(0);
  };
  EXPECT_EQ(stride("layer2.0.conv1"), 1);
  EXPECT_EQ(stride("layer2.0.conv2"), 2);
  EXPECT_EQ(stride("layer2.1.conv2"), 1);
}

}  // namespace
}  // namespace fairlap::model

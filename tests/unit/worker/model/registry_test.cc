#include "worker/model/registry.h"

#include <gtest/gtest.h>

#include "worker/model/network.h"

namespace fairlap::model {
namespace {

int64_t CountParameters(const Network& network) {
  int64_t count = 0;
  for (const torch::Tensor& parameter : network.parameters()) count += parameter.numel();
  return count;
}

class EveryNetwork : public testing::TestWithParam<api::Model> {
 protected:
  const NetworkEntry& entry() const { return *FindNetwork(GetParam()); }
};

TEST_P(EveryNetwork, HasThePublishedNumberOfParameters) {
  EXPECT_EQ(CountParameters(*entry().make(entry().published_classes)),
            entry().published_parameters);
}

TEST_P(EveryNetwork, MapsTheSmallestImagesToOneLogitAClassInBothMemoryFormats) {
  const auto network = entry().make(7);
  const int64_t edge = entry().smallest_image_size;
  const torch::Tensor images = torch::randn({2, 3, edge, edge});
  network->eval();
  const torch::Tensor logits = network->Forward(images);
  EXPECT_EQ(logits.sizes(), (std::vector<int64_t>{2, 7}));
  const torch::Tensor last = network->Forward(images.contiguous(torch::MemoryFormat::ChannelsLast));
  EXPECT_TRUE(torch::allclose(logits, last, 1e-3, 1e-4));
}

TEST_P(EveryNetwork, StartsFromTheSeedAlone) {
  torch::manual_seed(5);
  const auto first = entry().make(10);
  torch::manual_seed(5);
  const auto again = entry().make(10);
  torch::manual_seed(6);
  const auto other = entry().make(10);
  EXPECT_TRUE(torch::equal(first->parameters()[0], again->parameters()[0]));
  EXPECT_FALSE(torch::equal(first->parameters()[0], other->parameters()[0]));
}

TEST_P(EveryNetwork, LeavesForwardAndBackwardWhenStopped) {
  const auto network = entry().make(10);
  const int64_t edge = entry().smallest_image_size;
  const torch::Tensor images = torch::randn({2, 3, 2 * edge, 2 * edge});
  std::stop_source stop;
  network->StopWith(stop.get_token());
  const torch::Tensor loss = network->Forward(images).sum();
  stop.request_stop();
  EXPECT_THROW(loss.backward(), Interrupted);
  EXPECT_THROW(network->Forward(images), Interrupted);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryNetwork,
                         testing::Values(api::Model::kResNet50, api::Model::kResNet20V1),
                         [](const auto& parameter) {
                           return std::string(base::EnumName(parameter.param));
                         });

TEST(FindNetwork, SaysWhatThisVersionDoesNotHave) {
  EXPECT_EQ(FindNetwork(api::Model::kCare2d), nullptr);
}

// ResNet-50 v1.5: the 3x3 convolution of a stage's first block halves the image, the 1x1 before
// does not.
TEST(MakeBottleneckResNet, StridesInTheThreeByThreeConvolution) {
  const auto network = FindNetwork(api::Model::kResNet50)->make(10);
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

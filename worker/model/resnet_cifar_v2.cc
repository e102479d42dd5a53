#include "worker/model/resnet_cifar_v2.h"

#include <string>
#include <utility>
#include <vector>

#include "worker/model/layers.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

constexpr int64_t kExpansion = 4;  // output channels of a block per channel inside

class PreActivationBottleneck : public nn::Module {
 public:
  PreActivationBottleneck(int64_t in_channels, int64_t channels, int64_t stride) {
    const int64_t out_channels = channels * kExpansion;
    bn1_ = register_module("bn1", nn::BatchNorm2d(in_channels));
    conv1_ = register_module("conv1", Convolution(in_channels, channels, 1, 1));
    bn2_ = register_module("bn2", nn::BatchNorm2d(channels));
    conv2_ = register_module("conv2", Convolution(channels, channels, 3, stride));
    bn3_ = register_module("bn3", nn::BatchNorm2d(channels));
    conv3_ = register_module("conv3", Convolution(channels, out_channels, 1, 1));
    if (stride != 1 || in_channels != out_channels) {
      shortcut_ = register_module("shortcut", Convolution(in_channels, out_channels, 1, stride));
    }
  }

  torch::Tensor Forward(const torch::Tensor& x) {
    const torch::Tensor rectified = bn1_(x).relu_();
    torch::Tensor y = conv1_(rectified);
    y = conv2_(bn2_(y).relu_());
    y = conv3_(bn3_(y).relu_());
    y += shortcut_ ? shortcut_(rectified) : x;
    return y;
  }

 private:
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, bn3_{nullptr};
  nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr}, shortcut_{nullptr};
};

class CifarResNetV2 : public Network {
 public:
  CifarResNetV2(int64_t blocks_per_stage, int64_t classes) {
    conv1_ = register_module("conv1", Convolution(3, 16, 3, 1));
    int64_t in_channels = 16;
    for (int64_t stage = 0; stage < 3; ++stage) {
      const int64_t channels = 16 << stage;
      AddStage(*this, "layer" + std::to_string(stage + 1), blocks_per_stage, blocks_,
               [&](int64_t i) {
                 return std::make_shared<PreActivationBottleneck>(
                     std::exchange(in_channels, channels * kExpansion), channels,
                     i == 0 && stage > 0 ? 2 : 1);
               });
    }
    bn_ = register_module("bn", nn::BatchNorm2d(in_channels));
    fc_ = register_module("fc", nn::Linear(in_channels, classes));
    InitialiseForRectifiers(*this);
  }

  Prediction Forward(torch::Tensor images) override {
    torch::Tensor x = BetweenBlocks(conv1_(images));
    for (const auto& block : blocks_) x = BetweenBlocks(block->Forward(x));
    return {.output = fc_(AveragePlanes(bn_(x).relu_())), .auxiliary = {}};
  }

 private:
  nn::Conv2d conv1_{nullptr};
  std::vector<std::shared_ptr<PreActivationBottleneck>> blocks_;
  nn::BatchNorm2d bn_{nullptr};
  nn::Linear fc_{nullptr};
};

}  // namespace

std::shared_ptr<Network> MakeCifarResNetV2(int64_t depth, int64_t classes) {
  return std::make_shared<CifarResNetV2>((depth - 2) / 9, classes);
}

}  // namespace fairlap::model

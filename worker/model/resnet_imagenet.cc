#include "worker/model/resnet_imagenet.h"

#include <string>
#include <utility>
#include <vector>

#include "worker/model/layers.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

constexpr int64_t kExpansion = 4;  // output channels of a block per channel of its 3x3 convolution

// 1x1 reduce, 3x3, 1x1 expand, beside a shortcut that is projected where the shape changes.
class Bottleneck : public nn::Module {
 public:
  Bottleneck(int64_t in_channels, int64_t channels, int64_t stride) {
    const int64_t out_channels = channels * kExpansion;
    conv1_ = register_module("conv1", Convolution(in_channels, channels, 1, 1));
    bn1_ = register_module("bn1", nn::BatchNorm2d(channels));
    conv2_ = register_module("conv2", Convolution(channels, channels, 3, stride));
    bn2_ = register_module("bn2", nn::BatchNorm2d(channels));
    conv3_ = register_module("conv3", Convolution(channels, out_channels, 1, 1));
    bn3_ = register_module("bn3", nn::BatchNorm2d(out_channels));
    if (stride != 1 || in_channels != out_channels) {
      shortcut_ = register_module("downsample",
                                  nn::Sequential(Convolution(in_channels, out_channels, 1, stride),
                                                 nn::BatchNorm2d(out_channels)));
    }
  }

  torch::Tensor Forward(const torch::Tensor& x) {
    torch::Tensor y = bn1_(conv1_(x)).relu_();
    y = bn2_(conv2_(y)).relu_();
    y = bn3_(conv3_(y));
    y += shortcut_ ? shortcut_->forward(x) : x;
    return y.relu_();
  }

 private:
  nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, bn3_{nullptr};
  nn::Sequential shortcut_{nullptr};
};

class BottleneckResNet : public Network {
 public:
  BottleneckResNet(const StageBlocks& blocks, int64_t classes) {
    conv1_ = register_module("conv1", Convolution(3, 64, 7, 2));
    bn1_ = register_module("bn1", nn::BatchNorm2d(64));
    int64_t in_channels = 64;
    for (size_t stage = 0; stage < blocks.size(); ++stage) {
      const int64_t channels = int64_t{64} << stage;
      AddStage(*this, "layer" + std::to_string(stage + 1), blocks[stage], blocks_, [&](int64_t i) {
        return std::make_shared<Bottleneck>(std::exchange(in_channels, channels * kExpansion),
                                            channels, i == 0 && stage > 0 ? 2 : 1);
      });
    }
    fc_ = register_module("fc", nn::Linear(in_channels, classes));
    InitialiseForRectifiers(*this);
  }

  Prediction Forward(torch::Tensor images) override {
    torch::Tensor x = bn1_(conv1_(images)).relu_();
    x = BetweenBlocks(torch::max_pool2d(x, 3, 2, 1));
    for (const auto& block : blocks_) x = BetweenBlocks(block->Forward(x));
    return {.output = fc_(AveragePlanes(x)), .auxiliary = {}};
  }

 private:
  nn::Conv2d conv1_{nullptr};
  nn::BatchNorm2d bn1_{nullptr};
  std::vector<std::shared_ptr<Bottleneck>> blocks_;
  nn::Linear fc_{nullptr};
};

}  // namespace

std::shared_ptr<Network> MakeBottleneckResNet(const StageBlocks& blocks, int64_t classes) {
  return std::make_shared<BottleneckResNet>(blocks, classes);
}

}  // namespace fairlap::model

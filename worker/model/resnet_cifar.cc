#include "worker/model/resnet_cifar.h"

#include <string>
#include <utility>
#include <vector>

#include "worker/model/layers.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

// Option A: every second pixel, and as many zero channels before as behind.
torch::Tensor PaddedShortcut(const torch::Tensor& x, int64_t added_channels) {
  using torch::indexing::None;
  using torch::indexing::Slice;
  const torch::Tensor pixels =
      x.index({Slice(), Slice(), Slice(None, None, 2), Slice(None, None, 2)});
  const int64_t before = added_channels / 2;
  return torch::constant_pad_nd(pixels, {0, 0, 0, 0, before, added_channels - before});
}

class BasicBlock : public nn::Module {
 public:
  BasicBlock(int64_t in_channels, int64_t channels) : added_channels_(channels - in_channels) {
    const int64_t stride = added_channels_ > 0 ? 2 : 1;
    conv1_ = register_module("conv1", Convolution(in_channels, channels, 3, stride));
    bn1_ = register_module("bn1", nn::BatchNorm2d(channels));
    conv2_ = register_module("conv2", Convolution(channels, channels, 3, 1));
    bn2_ = register_module("bn2", nn::BatchNorm2d(channels));
  }

  torch::Tensor Forward(const torch::Tensor& x) {
    torch::Tensor y = bn1_(conv1_(x)).relu_();
    y = bn2_(conv2_(y));
    y += added_channels_ > 0 ? PaddedShortcut(x, added_channels_) : x;
    return y.relu_();
  }

 private:
  int64_t added_channels_;
  nn::Conv2d conv1_{nullptr}, conv2_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr};
};

class CifarResNet : public Network {
 public:
  CifarResNet(int64_t blocks_per_stage, int64_t classes) {
    conv1_ = register_module("conv1", Convolution(3, 16, 3, 1));
    bn1_ = register_module("bn1", nn::BatchNorm2d(16));
    int64_t in_channels = 16;
    for (int64_t stage = 0; stage < 3; ++stage) {
      AddStage(*this, "layer" + std::to_string(stage + 1), blocks_per_stage, blocks_, [&](int64_t) {
        const int64_t channels = 16 << stage;
        return std::make_shared<BasicBlock>(std::exchange(in_channels, channels), channels);
      });
    }
    fc_ = register_module("fc", nn::Linear(in_channels, classes));
    InitialiseForRectifiers(*this);
  }

  Prediction Forward(torch::Tensor images) override {
    torch::Tensor x = BetweenBlocks(bn1_(conv1_(images)).relu_());
    for (const auto& block : blocks_) x = BetweenBlocks(block->Forward(x));
    return {.output = fc_(AveragePlanes(x)), .auxiliary = {}};
  }

 private:
  nn::Conv2d conv1_{nullptr};
  nn::BatchNorm2d bn1_{nullptr};
  std::vector<std::shared_ptr<BasicBlock>> blocks_;
  nn::Linear fc_{nullptr};
};

}  // namespace

std::shared_ptr<Network> MakeCifarResNet(int64_t depth, int64_t classes) {
  return std::make_shared<CifarResNet>((depth - 2) / 6, classes);
}

}  // namespace fairlap::model

#include "worker/model/care.h"

#include <string>
#include <vector>

#include "worker/model/layers.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

constexpr int64_t kDepth = 2;
constexpr int64_t kBaseFilters = 16;

// Keeps the size.
nn::Conv2d PaddedConvolution(int64_t in_channels, int64_t out_channels, int64_t kernel) {
  return BiasedConvolution(in_channels, out_channels, kernel, 1, kernel / 2);
}

class Care2d : public Network {
 public:
  Care2d() {
    int64_t channels = 1;
    for (int64_t depth = 0; depth < kDepth; ++depth) {
      const int64_t filters = kBaseFilters << depth;
      down_.push_back(AddPair("down" + std::to_string(depth) + "_", channels, filters, filters));
      channels = filters;
    }
    middle_ = AddPair("middle", channels, 2 * channels, channels);
    for (int64_t depth = kDepth - 1; depth >= 0; --depth) {
      const int64_t filters = kBaseFilters << depth;
      const int64_t out = depth == 0 ? filters : filters / 2;
      up_.push_back(AddPair("up" + std::to_string(depth) + "_", 2 * filters, filters, out));
    }
    final_ = register_module("final", PaddedConvolution(kBaseFilters, 1, 1));
    Initialise();
  }

  Prediction Forward(torch::Tensor images) override {
    torch::Tensor x = images;
    std::vector<torch::Tensor> skips;
    for (Pair& pair : down_) {
      skips.push_back(RunPair(pair, x));
      x = torch::max_pool2d(skips.back(), 2);
    }
    x = RunPair(middle_, x);
    for (Pair& pair : up_) {
      const torch::Tensor enlarged = torch::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)});
      x = RunPair(pair, torch::cat({enlarged, skips.back()}, 1));
      skips.pop_back();
    }
    return {.output = images + final_(x), .auxiliary = {}};
  }

 private:
  struct Pair {
    nn::Conv2d first{nullptr}, second{nullptr};
  };

  Pair AddPair(const std::string& name, int64_t in_channels, int64_t between,
               int64_t out_channels) {
    return {register_module(name + "0", PaddedConvolution(in_channels, between, 3)),
            register_module(name + "1", PaddedConvolution(between, out_channels, 3))};
  }

  torch::Tensor RunPair(Pair& pair, const torch::Tensor& x) const {
    return BetweenBlocks(pair.second(pair.first(x).relu_()).relu_());
  }

  void Initialise() {
    for (const auto& module : modules(/*include_self=*/false)) {
      auto* convolution = module->as<nn::Conv2d>();
      nn::init::xavier_uniform_(convolution->weight);
      nn::init::zeros_(convolution->bias);
    }
  }

  std::vector<Pair> down_, up_;
  Pair middle_;
  nn::Conv2d final_{nullptr};
};

}  // namespace

std::shared_ptr<Network> MakeCare2d() { return std::make_shared<Care2d>(); }

}  // namespace fairlap::model

#include "worker/model/inception.h"

#include <array>
#include <string>
#include <vector>

#include "worker/model/layers.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

struct Shape {
  int64_t out_channels = 0;
  std::array<int64_t, 2> kernel{1, 1};
  int64_t stride = 1;
  bool padded = true;  // keeps the size at stride 1
};
constexpr Shape Square(int64_t out_channels, int64_t kernel) {
  return {.out_channels = out_channels, .kernel = {kernel, kernel}};
}
constexpr Shape Reducing(int64_t out_channels) {
  return {.out_channels = out_channels, .kernel = {3, 3}, .stride = 2, .padded = false};
}
constexpr Shape Row(int64_t out_channels, int64_t width) {
  return {.out_channels = out_channels, .kernel = {1, width}};
}
constexpr Shape Column(int64_t out_channels, int64_t height) {
  return {.out_channels = out_channels, .kernel = {height, 1}};
}
constexpr Shape Unpadded(int64_t out_channels, int64_t kernel) {
  return {.out_channels = out_channels, .kernel = {kernel, kernel}, .padded = false};
}

class ConvNormRelu : public nn::Module {
 public:
  ConvNormRelu(int64_t in_channels, const Shape& shape) {
    nn::Conv2dOptions options(in_channels, shape.out_channels,
                              torch::ExpandingArray<2>(shape.kernel));
    options.stride(shape.stride).bias(false);
    if (shape.padded) {
      options.padding(std::array<int64_t, 2>{shape.kernel[0] / 2, shape.kernel[1] / 2});
    }
    conv_ = register_module("conv", nn::Conv2d(options));
    bn_ = register_module("bn",
                          nn::BatchNorm2d(nn::BatchNorm2dOptions(shape.out_channels).eps(0.001)));
  }

  torch::Tensor Forward(const torch::Tensor& x) { return bn_(conv_(x)).relu_(); }
  void Initialise(double deviation) { nn::init::normal_(conv_->weight, 0.0, deviation); }

 private:
  nn::Conv2d conv_{nullptr};
  nn::BatchNorm2d bn_{nullptr};
};

torch::Tensor Smooth(const torch::Tensor& x) { return torch::avg_pool2d(x, 3, 1, 1); }
torch::Tensor Halve(const torch::Tensor& x) { return torch::max_pool2d(x, 3, 2); }

// Convolutions one after the other, each a child of the module that owns the chain.
using Chain = std::vector<std::shared_ptr<ConvNormRelu>>;

torch::Tensor RunChain(const Chain& chain, torch::Tensor x) {
  for (const auto& layer : chain) x = layer->Forward(x);
  return x;
}

// A block whose branches see the same input and are concatenated over channels.
class Mixed : public nn::Module {
 public:
  explicit Mixed(int64_t in_channels) : in_channels_(in_channels) {}
  virtual torch::Tensor Forward(const torch::Tensor& x) = 0;

 protected:
  struct Link {
    std::string name;
    Shape shape;
  };
  // From the block's input, unless `in_channels` says otherwise.
  Chain Add(const std::vector<Link>& links, int64_t in_channels = 0) {
    Chain chain;
    int64_t channels = in_channels == 0 ? in_channels_ : in_channels;
    for (const Link& link : links) {
      chain.push_back(
          register_module(link.name, std::make_shared<ConvNormRelu>(channels, link.shape)));
      channels = link.shape.out_channels;
    }
    return chain;
  }

 private:
  int64_t in_channels_;
};

class InceptionA : public Mixed {
 public:
  InceptionA(int64_t in_channels, int64_t pool_channels) : Mixed(in_channels) {
    one_ = Add({{"branch1x1", Square(64, 1)}});
    five_ = Add({{"branch5x5_1", Square(48, 1)}, {"branch5x5_2", Square(64, 5)}});
    three_ = Add({{"branch3x3dbl_1", Square(64, 1)},
                  {"branch3x3dbl_2", Square(96, 3)},
                  {"branch3x3dbl_3", Square(96, 3)}});
    pool_ = Add({{"branch_pool", Square(pool_channels, 1)}});
  }

  torch::Tensor Forward(const torch::Tensor& x) override {
    return torch::cat(
        {RunChain(one_, x), RunChain(five_, x), RunChain(three_, x), RunChain(pool_, Smooth(x))},
        1);
  }

 private:
  Chain one_, five_, three_, pool_;
};

class InceptionB : public Mixed {
 public:
  explicit InceptionB(int64_t in_channels) : Mixed(in_channels) {
    three_ = Add({{"branch3x3", Reducing(384)}});
    double_ = Add({{"branch3x3dbl_1", Square(64, 1)},
                   {"branch3x3dbl_2", Square(96, 3)},
                   {"branch3x3dbl_3", Reducing(96)}});
  }

  torch::Tensor Forward(const torch::Tensor& x) override {
    return torch::cat({RunChain(three_, x), RunChain(double_, x), Halve(x)}, 1);
  }

 private:
  Chain three_, double_;
};

class InceptionC : public Mixed {
 public:
  InceptionC(int64_t in_channels, int64_t inner) : Mixed(in_channels) {
    one_ = Add({{"branch1x1", Square(192, 1)}});
    seven_ = Add({{"branch7x7_1", Square(inner, 1)},
                  {"branch7x7_2", Row(inner, 7)},
                  {"branch7x7_3", Column(192, 7)}});
    double_ = Add({{"branch7x7dbl_1", Square(inner, 1)},
                   {"branch7x7dbl_2", Column(inner, 7)},
                   {"branch7x7dbl_3", Row(inner, 7)},
                   {"branch7x7dbl_4", Column(inner, 7)},
                   {"branch7x7dbl_5", Row(192, 7)}});
    pool_ = Add({{"branch_pool", Square(192, 1)}});
  }

  torch::Tensor Forward(const torch::Tensor& x) override {
    return torch::cat(
        {RunChain(one_, x), RunChain(seven_, x), RunChain(double_, x), RunChain(pool_, Smooth(x))},
        1);
  }

 private:
  Chain one_, seven_, double_, pool_;
};

class InceptionD : public Mixed {
 public:
  explicit InceptionD(int64_t in_channels) : Mixed(in_channels) {
    three_ = Add({{"branch3x3_1", Square(192, 1)}, {"branch3x3_2", Reducing(320)}});
    seven_ = Add({{"branch7x7x3_1", Square(192, 1)},
                  {"branch7x7x3_2", Row(192, 7)},
                  {"branch7x7x3_3", Column(192, 7)},
                  {"branch7x7x3_4", Reducing(192)}});
  }

  torch::Tensor Forward(const torch::Tensor& x) override {
    return torch::cat({RunChain(three_, x), RunChain(seven_, x), Halve(x)}, 1);
  }

 private:
  Chain three_, seven_;
};

class InceptionE : public Mixed {
 public:
  explicit InceptionE(int64_t in_channels) : Mixed(in_channels) {
    one_ = Add({{"branch1x1", Square(320, 1)}});
    three_ = Add({{"branch3x3_1", Square(384, 1)}});
    three_row_ = Add({{"branch3x3_2a", Row(384, 3)}}, 384);
    three_column_ = Add({{"branch3x3_2b", Column(384, 3)}}, 384);
    double_ = Add({{"branch3x3dbl_1", Square(448, 1)}, {"branch3x3dbl_2", Square(384, 3)}});
    double_row_ = Add({{"branch3x3dbl_3a", Row(384, 3)}}, 384);
    double_column_ = Add({{"branch3x3dbl_3b", Column(384, 3)}}, 384);
    pool_ = Add({{"branch_pool", Square(192, 1)}});
  }

  torch::Tensor Forward(const torch::Tensor& x) override {
    const torch::Tensor three = RunChain(three_, x);
    const torch::Tensor twice = RunChain(double_, x);
    return torch::cat(
        {RunChain(one_, x), RunChain(three_row_, three), RunChain(three_column_, three),
         RunChain(double_row_, twice), RunChain(double_column_, twice), RunChain(pool_, Smooth(x))},
        1);
  }

 private:
  Chain one_, three_, three_row_, three_column_, double_, double_row_, double_column_, pool_;
};

class AuxiliaryHead : public nn::Module {
 public:
  AuxiliaryHead(int64_t in_channels, int64_t classes) {
    conv0_ = register_module("conv0", std::make_shared<ConvNormRelu>(in_channels, Square(128, 1)));
    conv1_ = register_module("conv1", std::make_shared<ConvNormRelu>(128, Unpadded(768, 5)));
    fc_ = register_module("fc", nn::Linear(768, classes));
  }

  torch::Tensor Forward(const torch::Tensor& x) {
    const torch::Tensor y = conv1_->Forward(conv0_->Forward(torch::avg_pool2d(x, 5, 3)));
    return fc_(AveragePlanes(y));
  }

  void Initialise() {
    conv1_->Initialise(0.01);
    nn::init::normal_(fc_->weight, 0.0, 0.001);
  }

 private:
  std::shared_ptr<ConvNormRelu> conv0_, conv1_;
  nn::Linear fc_{nullptr};
};

class InceptionV3 : public Network {
 public:
  explicit InceptionV3(int64_t classes) {
    AddStem();
    AddBlocksBeforeHead();
    head_ = register_module("AuxLogits", std::make_shared<AuxiliaryHead>(768, classes));
    after_head_ = {AddBlock("Mixed_7a", std::make_shared<InceptionD>(768)),
                   AddBlock("Mixed_7b", std::make_shared<InceptionE>(1280)),
                   AddBlock("Mixed_7c", std::make_shared<InceptionE>(2048))};
    dropout_ = register_module("dropout", nn::Dropout(0.5));
    fc_ = register_module("fc", nn::Linear(2048, classes));
    Initialise();
  }

  Prediction Forward(torch::Tensor images) override {
    torch::Tensor x = BetweenBlocks(Halve(RunChain(first_, std::move(images))));
    x = BetweenBlocks(Halve(RunChain(second_, std::move(x))));
    for (const auto& block : before_head_) x = BetweenBlocks(block->Forward(x));
    Prediction prediction;
    if (is_training()) prediction.auxiliary = head_->Forward(x);
    for (const auto& block : after_head_) x = BetweenBlocks(block->Forward(x));
    prediction.output = fc_(dropout_(AveragePlanes(x)));
    return prediction;
  }

 private:
  std::shared_ptr<Mixed> AddBlock(const char* name, std::shared_ptr<Mixed> block) {
    return register_module(name, std::move(block));
  }

  std::shared_ptr<ConvNormRelu> AddConv(const char* name, int64_t in_channels, const Shape& shape) {
    return register_module(name, std::make_shared<ConvNormRelu>(in_channels, shape));
  }

  void AddStem() {
    first_ = {AddConv("Conv2d_1a_3x3", 3, Reducing(32)),
              AddConv("Conv2d_2a_3x3", 32, Unpadded(32, 3)),
              AddConv("Conv2d_2b_3x3", 32, Square(64, 3))};
    second_ = {AddConv("Conv2d_3b_1x1", 64, Unpadded(80, 1)),
               AddConv("Conv2d_4a_3x3", 80, Unpadded(192, 3))};
  }

  void AddBlocksBeforeHead() {
    before_head_ = {AddBlock("Mixed_5b", std::make_shared<InceptionA>(192, 32)),
                    AddBlock("Mixed_5c", std::make_shared<InceptionA>(256, 64)),
                    AddBlock("Mixed_5d", std::make_shared<InceptionA>(288, 64)),
                    AddBlock("Mixed_6a", std::make_shared<InceptionB>(288)),
                    AddBlock("Mixed_6b", std::make_shared<InceptionC>(768, 128)),
                    AddBlock("Mixed_6c", std::make_shared<InceptionC>(768, 160)),
                    AddBlock("Mixed_6d", std::make_shared<InceptionC>(768, 160)),
                    AddBlock("Mixed_6e", std::make_shared<InceptionC>(768, 192))};
  }

  void Initialise() {
    for (const auto& module : modules(/*include_self=*/false)) {
      if (auto* convolution = dynamic_cast<ConvNormRelu*>(module.get())) {
        convolution->Initialise(0.1);
      }
    }
    nn::init::normal_(fc_->weight, 0.0, 0.1);
    head_->Initialise();
  }

  Chain first_, second_;
  std::vector<std::shared_ptr<Mixed>> before_head_, after_head_;
  std::shared_ptr<AuxiliaryHead> head_;
  nn::Dropout dropout_{nullptr};
  nn::Linear fc_{nullptr};
};

}  // namespace

std::shared_ptr<Network> MakeInceptionV3(int64_t classes) {
  return std::make_shared<InceptionV3>(classes);
}

}  // namespace fairlap::model

#include "worker/model/alexnet.h"

#include "worker/model/plain.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

constexpr int64_t kPooledEdge = 6;

nn::Conv2d PaddedConvolution(int64_t in_channels, int64_t out_channels, int64_t kernel,
                             int64_t stride, int64_t padding) {
  return nn::Conv2d(
      nn::Conv2dOptions(in_channels, out_channels, kernel).stride(stride).padding(padding));
}

}  // namespace

std::shared_ptr<Network> MakeAlexNet(int64_t classes) {
  nn::Sequential features(PaddedConvolution(3, 64, 11, 4, 2), Rectifier(), MaxPool(3),
                          PaddedConvolution(64, 192, 5, 1, 2), Rectifier(), MaxPool(3),
                          PaddedConvolution(192, 384, 3, 1, 1), Rectifier(),
                          PaddedConvolution(384, 256, 3, 1, 1), Rectifier(),
                          PaddedConvolution(256, 256, 3, 1, 1), Rectifier(), MaxPool(3));
  nn::Sequential classifier(nn::Dropout(), nn::Linear(256 * kPooledEdge * kPooledEdge, 4096),
                            Rectifier(), nn::Dropout(), nn::Linear(4096, 4096), Rectifier(),
                            nn::Linear(4096, classes));
  return std::make_shared<PlainNetwork>(features, kPooledEdge, classifier);
}

}  // namespace fairlap::model

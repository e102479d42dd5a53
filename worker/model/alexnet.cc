#include "worker/model/alexnet.h"

#include "worker/model/layers.h"
#include "worker/model/plain.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

constexpr int64_t kPooledEdge = 6;

}  // namespace

std::shared_ptr<Network> MakeAlexNet(int64_t classes) {
  nn::Sequential features(BiasedConvolution(3, 64, 11, 4, 2), Rectifier(), MaxPool(3),
                          BiasedConvolution(64, 192, 5, 1, 2), Rectifier(), MaxPool(3),
                          BiasedConvolution(192, 384, 3, 1, 1), Rectifier(),
                          BiasedConvolution(384, 256, 3, 1, 1), Rectifier(),
                          BiasedConvolution(256, 256, 3, 1, 1), Rectifier(), MaxPool(3));
  nn::Sequential classifier(nn::Dropout(), nn::Linear(256 * kPooledEdge * kPooledEdge, 4096),
                            Rectifier(), nn::Dropout(), nn::Linear(4096, 4096), Rectifier(),
                            nn::Linear(4096, classes));
  return std::make_shared<PlainNetwork>(features, kPooledEdge, classifier);
}

}  // namespace fairlap::model

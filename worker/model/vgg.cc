#include "worker/model/vgg.h"

#include <array>

#include "worker/model/layers.h"
#include "worker/model/plain.h"

namespace fairlap::model {
namespace {

namespace nn = torch::nn;

struct Stage {
  int64_t channels, convolutions;
};
constexpr std::array<Stage, 5> kStages = {{{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}}};
constexpr int64_t kPooledEdge = 7;

nn::Sequential MakeFeatures() {
  nn::Sequential features;
  int64_t in_channels = 3;
  for (const Stage& stage : kStages) {
    for (int64_t i = 0; i < stage.convolutions; ++i) {
      features->push_back(BiasedConvolution(in_channels, stage.channels, 3, 1, 1));
      features->push_back(Rectifier());
      in_channels = stage.channels;
    }
    features->push_back(MaxPool(2));
  }
  return features;
}

void InitialiseClassifier(nn::Sequential& classifier) {
  for (const auto& layer : classifier->children()) {
    auto* linear = layer->as<nn::Linear>();
    if (linear == nullptr) continue;
    nn::init::normal_(linear->weight, 0.0, 0.01);
    nn::init::zeros_(linear->bias);
  }
}

}  // namespace

std::shared_ptr<Network> MakeVgg16(int64_t classes) {
  nn::Sequential classifier(nn::Linear(512 * kPooledEdge * kPooledEdge, 4096), Rectifier(),
                            nn::Dropout(), nn::Linear(4096, 4096), Rectifier(), nn::Dropout(),
                            nn::Linear(4096, classes));
  InitialiseClassifier(classifier);
  auto network = std::make_shared<PlainNetwork>(MakeFeatures(), kPooledEdge, classifier);
  InitialiseForRectifiers(*network);
  return network;
}

}  // namespace fairlap::model

#include "worker/model/registry.h"

#include <algorithm>
#include <array>

#include "worker/model/resnet_cifar.h"
#include "worker/model/resnet_imagenet.h"

namespace fairlap::model {
namespace {

constexpr std::array kNetworks = {
    // torchvision's resnet50 has the same count; the paper gives 25.5 M.
    NetworkEntry{
        .model = api::Model::kResNet50,
        .published_parameters = 25'557'032,
        .published_classes = 1000,
        .image_size = 224,
        .smallest_image_size = 32,
        .make = [](int64_t classes) { return MakeBottleneckResNet(kResNet50Blocks, classes); }},
    // 0.27 M in table 6 of the paper.
    NetworkEntry{.model = api::Model::kResNet20V1,
                 .published_parameters = 269'722,
                 .published_classes = 10,
                 .image_size = 32,
                 .smallest_image_size = 16,
                 .make = [](int64_t classes) { return MakeCifarResNet(20, classes); }},
};

}  // namespace

const NetworkEntry* FindNetwork(api::Model model) {
  const auto* entry = std::ranges::find(kNetworks, model, &NetworkEntry::model);
  return entry == kNetworks.end() ? nullptr : entry;
}

}  // namespace fairlap::model

#include "worker/model/registry.h"

#include <algorithm>
#include <array>

#include "worker/model/alexnet.h"
#include "worker/model/care.h"
#include "worker/model/inception.h"
#include "worker/model/resnet_cifar.h"
#include "worker/model/resnet_cifar_v2.h"
#include "worker/model/resnet_imagenet.h"
#include "worker/model/vgg.h"

namespace fairlap::model {
namespace {

struct Entry {
  std::string_view name;
  std::shared_ptr<Network> (*make)(int64_t classes);
};

template <int64_t depth>
std::shared_ptr<Network> CifarV1(int64_t classes) {
  return MakeCifarResNet(depth, classes);
}

template <int64_t depth>
std::shared_ptr<Network> CifarV2(int64_t classes) {
  return MakeCifarResNetV2(depth, classes);
}

constexpr std::array kEntries = {
    Entry{"alexnet", MakeAlexNet},
    Entry{"vgg16", MakeVgg16},
    Entry{"inceptionv3", MakeInceptionV3},
    Entry{"resnet50",
          [](int64_t classes) { return MakeBottleneckResNet(kResNet50Blocks, classes); }},
    Entry{"resnet152",
          [](int64_t classes) { return MakeBottleneckResNet(kResNet152Blocks, classes); }},
    Entry{"resnet20v1", CifarV1<20>},
    Entry{"resnet32v1", CifarV1<32>},
    Entry{"resnet44v1", CifarV1<44>},
    Entry{"resnet56v1", CifarV1<56>},
    Entry{"resnet110v1", CifarV1<110>},
    Entry{"resnet56v2", CifarV2<56>},
    Entry{"resnet110v2", CifarV2<110>},
    Entry{"resnet164v2", CifarV2<164>},
    Entry{"care2d", [](int64_t) { return MakeCare2d(); }},
};

}  // namespace

std::shared_ptr<Network> MakeNetwork(std::string_view name, int64_t classes) {
  const auto* entry = std::ranges::find(kEntries, name, &Entry::name);
  return entry == kEntries.end() ? nullptr : entry->make(classes);
}

}  // namespace fairlap::model

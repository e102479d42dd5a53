#include "lib/models/networks.h"

#include <algorithm>
#include <array>

namespace fairlap::models {
namespace {

constexpr std::string_view kBottleneckSource =
    "He et al. 2015, arXiv:1512.03385, table 1, stride in the 3x3 (v1.5); count: torchvision";
constexpr std::string_view kCifarV1Source =
    "He et al. 2015, arXiv:1512.03385, section 4.2 and table 6, shortcuts A";
constexpr std::string_view kCifarV2Source =
    "He et al. 2016, arXiv:1603.05027, bottleneck, depth 9n+2; count: its table 5 (164)";

constexpr NetworkFacts Cifar(std::string_view name, int64_t parameters, std::string_view published,
                             int64_t multiply_adds, std::string_view source) {
  return {.name = name,
          .parameters = parameters,
          .published = published,
          .classes = 10,
          .image_size = 32,
          .smallest_image_size = 16,
          .multiply_adds = multiply_adds,
          .source = source};
}

constexpr std::array kNetworks = {
    NetworkFacts{.name = "alexnet",
                 .parameters = 61'100'840,
                 .published = "61,100,840",
                 .classes = 1000,
                 .image_size = 224,
                 .smallest_image_size = 63,
                 .multiply_adds = 714'188'480,
                 .source = "Krizhevsky 2014, arXiv:1404.5997; count: torchvision"},
    NetworkFacts{.name = "vgg16",
                 .parameters = 138'357'544,
                 .published = "138,357,544",
                 .classes = 1000,
                 .image_size = 224,
                 .smallest_image_size = 32,
                 .multiply_adds = 15'470'264'320,
                 .source = "Simonyan and Zisserman 2014, arXiv:1409.1556, table 1 D; count: "
                           "torchvision"},
    NetworkFacts{.name = "inceptionv3",
                 .parameters = 27'161'264,
                 .published = "27,161,264",
                 .classes = 1000,
                 .image_size = 299,
                 .smallest_image_size = 299,
                 .multiply_adds = 5'718'899'296,
                 .source = "Szegedy et al. 2015, arXiv:1512.00567, with the auxiliary head; count: "
                           "torchvision"},
    NetworkFacts{.name = "resnet50",
                 .parameters = 25'557'032,
                 .published = "25,557,032",
                 .classes = 1000,
                 .image_size = 224,
                 .smallest_image_size = 32,
                 .multiply_adds = 4'089'184'256,
                 .source = kBottleneckSource},
    NetworkFacts{.name = "resnet152",
                 .parameters = 60'192'808,
                 .published = "60,192,808",
                 .classes = 1000,
                 .image_size = 224,
                 .smallest_image_size = 32,
                 .multiply_adds = 11'513'626'624,
                 .source = kBottleneckSource},
    Cifar("resnet20v1", 269'722, "0.27 M", 40'551'040, kCifarV1Source),
    Cifar("resnet32v1", 464'154, "0.46 M", 68'862'592, kCifarV1Source),
    Cifar("resnet44v1", 658'586, "0.66 M", 97'174'144, kCifarV1Source),
    Cifar("resnet56v1", 853'018, "0.85 M", 125'485'696, kCifarV1Source),
    Cifar("resnet110v1", 1'727'962, "1.7 M", 252'887'680, kCifarV1Source),
    Cifar("resnet56v2", 590'426, "", 87'214'592, kCifarV2Source),
    Cifar("resnet110v2", 1'146'842, "", 167'430'656, kCifarV2Source),
    Cifar("resnet164v2", 1'703'258, "1.7 M", 247'646'720, kCifarV2Source),
    NetworkFacts{.name = "care2d",
                 .task = Task::kDenoising,
                 .parameters = 83'377,
                 .published = "83 k",
                 .channels = 1,
                 .image_size = 128,
                 .smallest_image_size = 16,
                 .size_multiple = 4,
                 .multiply_adds = 342'360'064,
                 .source = "Weigert et al. 2018, doi:10.1038/s41592-018-0216-7, CSBDeep's U-Net; "
                           "count: deeprace"},
};

}  // namespace

std::span<const NetworkFacts> AllNetworks() { return kNetworks; }

const NetworkFacts* FindFacts(std::string_view name) {
  const auto* facts = std::ranges::find(kNetworks, name, &NetworkFacts::name);
  return facts == kNetworks.end() ? nullptr : facts;
}

}  // namespace fairlap::models

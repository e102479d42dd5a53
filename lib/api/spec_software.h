// spec.software of a BenchmarkRun: what does the training.
#ifndef FAIRLAP_LIB_API_SPEC_SOFTWARE_H_
#define FAIRLAP_LIB_API_SPEC_SOFTWARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/field_bounds.h"

namespace fairlap::api {

enum class Model {
  kAlexNet,
  kVgg16,
  kInceptionV3,
  kResNet50,
  kResNet152,
  kResNet20V1,
  kResNet32V1,
  kResNet44V1,
  kResNet56V1,
  kResNet110V1,
  kResNet56V2,
  kResNet110V2,
  kResNet164V2,
  kCare2d,
};
enum class Precision { kFp32, kTf32, kBf16, kFp16 };
enum class MemoryFormat { kContiguous, kChannelsLast };
enum class Decoder { kCpu, kNvjpeg };
enum class Reader { kBuffered, kUring, kDirect };

struct InputSpec {
  int64_t threads = 4;
  int64_t prefetch_batches = 4;
  Decoder decoder = Decoder::kCpu;
  Reader reader = Reader::kBuffered;
  int64_t io_timeout_seconds = 60;

  template <class V>
  static void Describe(V& v) {
    v(&InputSpec::threads, "threads", Integer(1, 512).Default());
    v(&InputSpec::prefetch_batches, "prefetchBatches", Integer(1, 64).Default());
    v(&InputSpec::decoder, "decoder", Plain().Default());
    v(&InputSpec::reader, "reader", Plain().Default());
    v(&InputSpec::io_timeout_seconds, "ioTimeoutSeconds", Integer(1, 3600).Default());
  }
};

struct LocalReference {
  std::string name;
  template <class V>
  static void Describe(V& v) {
    v(&LocalReference::name, "name", Text(1, 253, kDnsName));
  }
};

struct SoftwareSpec {
  Model model{};
  Precision precision = Precision::kFp32;
  MemoryFormat memory_format = MemoryFormat::kContiguous;
  bool cuda_graphs = false;
  std::optional<std::string> image;
  std::vector<LocalReference> image_pull_secrets;
  InputSpec input;

  template <class V>
  static void Describe(V& v) {
    v(&SoftwareSpec::model, "model", Plain());
    v(&SoftwareSpec::precision, "precision", Plain().Default());
    v(&SoftwareSpec::memory_format, "memoryFormat", Plain().Default());
    v(&SoftwareSpec::cuda_graphs, "cudaGraphs", Plain().Default());
    v(&SoftwareSpec::image, "image", Text(1, 512, "^[A-Za-z0-9][-A-Za-z0-9._/:@]*$"));
    v(&SoftwareSpec::image_pull_secrets, "imagePullSecrets", Items(0, 8));
    v(&SoftwareSpec::input, "input", Plain().Default());
  }
};

}  // namespace fairlap::api

namespace fairlap::base {
using std::string_view_literals::operator""sv;
template <>
inline constexpr std::array kEnumNames<api::Model> = {
    "alexnet"sv,    "vgg16"sv,       "inceptionv3"sv, "resnet50"sv,   "resnet152"sv,
    "resnet20v1"sv, "resnet32v1"sv,  "resnet44v1"sv,  "resnet56v1"sv, "resnet110v1"sv,
    "resnet56v2"sv, "resnet110v2"sv, "resnet164v2"sv, "care2d"sv};
template <>
inline constexpr std::array kEnumNames<api::Precision> = {"fp32"sv, "tf32"sv, "bf16"sv, "fp16"sv};
template <>
inline constexpr std::array kEnumNames<api::MemoryFormat> = {"contiguous"sv, "channelsLast"sv};
template <>
inline constexpr std::array kEnumNames<api::Decoder> = {"cpu"sv, "nvjpeg"sv};
template <>
inline constexpr std::array kEnumNames<api::Reader> = {"buffered"sv, "uring"sv, "direct"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_SPEC_SOFTWARE_H_

// spec.compute of a BenchmarkRun: the devices and nodes it runs on.
#ifndef FAIRLAP_LIB_API_SPEC_COMPUTE_H_
#define FAIRLAP_LIB_API_SPEC_COMPUTE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/field_bounds.h"

namespace fairlap::api {

enum class Device { kGpu, kCpu, kEmulated };
enum class Placement { kAny, kPack, kSpread };
enum class TolerationOperator { kEqual, kExists };
enum class TaintEffect { kNoSchedule, kPreferNoSchedule, kNoExecute };
enum class NodeOperator { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };

struct EmulatedSpec {
  IntOrString accelerators{"1"};  // a count or "auto"
  Decimal step_seconds;
  template <class V>
  static void Describe(V& v) {
    v(&EmulatedSpec::accelerators, "accelerators",
      Text(1, 24, "^(auto|[1-9][0-9]{0,3})$").Default());
    v(&EmulatedSpec::step_seconds, "stepSeconds", DecimalText());
  }
};

struct ResourcesSpec {
  std::optional<IntOrString> cpu;
  std::optional<IntOrString> memory;
  template <class V>
  static void Describe(V& v) {
    v(&ResourcesSpec::cpu, "cpu", QuantityText());
    v(&ResourcesSpec::memory, "memory", QuantityText());
  }
};

struct Toleration {
  std::optional<std::string> key;
  TolerationOperator op = TolerationOperator::kEqual;
  std::optional<std::string> value;
  std::optional<TaintEffect> effect;
  std::optional<int64_t> toleration_seconds;
  template <class V>
  static void Describe(V& v) {
    v(&Toleration::key, "key", Text(1, 317, kQualifiedName));
    v(&Toleration::op, "operator", Plain().Default());
    v(&Toleration::value, "value", Text(0, 63, kLabelValue));
    v(&Toleration::effect, "effect", Plain());
    v(&Toleration::toleration_seconds, "tolerationSeconds", Integer(0, kMaxSafeInteger));
  }
};

struct NodeExpression {
  std::string key;
  NodeOperator op{};
  std::vector<std::string> values;
  template <class V>
  static void Describe(V& v) {
    v(&NodeExpression::key, "key", Text(1, 317, kQualifiedName));
    v(&NodeExpression::op, "operator", Plain());
    v(&NodeExpression::values, "values", Texts(0, 32, 0, 63, kLabelValue));
  }
};

struct ComputeSpec {
  Device device = Device::kGpu;
  std::optional<EmulatedSpec> emulated;
  std::optional<int64_t> gpus;  // per node; absent: 1 for gpu, else 0
  std::string gpu_resource = "nvidia.com/gpu";
  int64_t nodes = 1;
  ResourcesSpec resources;
  std::map<std::string, std::string> node_selector;
  std::vector<Toleration> tolerations;
  std::vector<NodeExpression> node_affinity;  // required, all of them
  Placement placement = Placement::kAny;
  std::optional<std::string> runtime_class_name;
  std::optional<std::string> priority_class_name;
  std::optional<Decimal> price_per_hour;  // per node

  // GPUs asked for on each node, with the default applied.
  int64_t GpusPerNode() const { return gpus.value_or(device == Device::kGpu ? 1 : 0); }

  template <class V>
  static void Describe(V& v) {
    v(&ComputeSpec::device, "device", Plain().Default());
    v(&ComputeSpec::emulated, "emulated", Plain());
    v(&ComputeSpec::gpus, "gpus", Integer(0, 64));
    v(&ComputeSpec::gpu_resource, "gpuResource", Text(1, 317, kQualifiedName).Default());
    v(&ComputeSpec::nodes, "nodes", Integer(1, 256).Default());
    v(&ComputeSpec::resources, "resources", Plain().Default());
    v(&ComputeSpec::node_selector, "nodeSelector", Texts(0, 16, 0, 63, kLabelValue));
    v(&ComputeSpec::tolerations, "tolerations", Items(0, 16));
    v(&ComputeSpec::node_affinity, "nodeAffinity", Items(0, 16));
    v(&ComputeSpec::placement, "placement", Plain().Default());
    v(&ComputeSpec::runtime_class_name, "runtimeClassName", Text(1, 253, kDnsName));
    v(&ComputeSpec::priority_class_name, "priorityClassName", Text(1, 253, kDnsName));
    v(&ComputeSpec::price_per_hour, "pricePerHour", DecimalText());
  }
};

}  // namespace fairlap::api

namespace fairlap::base {
using std::string_view_literals::operator""sv;
template <>
inline constexpr std::array kEnumNames<api::Device> = {"gpu"sv, "cpu"sv, "emulated"sv};
template <>
inline constexpr std::array kEnumNames<api::Placement> = {"any"sv, "pack"sv, "spread"sv};
template <>
inline constexpr std::array kEnumNames<api::TolerationOperator> = {"Equal"sv, "Exists"sv};
template <>
inline constexpr std::array kEnumNames<api::TaintEffect> = {"NoSchedule"sv, "PreferNoSchedule"sv,
                                                            "NoExecute"sv};
template <>
inline constexpr std::array kEnumNames<api::NodeOperator> = {
    "In"sv, "NotIn"sv, "Exists"sv, "DoesNotExist"sv, "Gt"sv, "Lt"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_SPEC_COMPUTE_H_

// The spec of a BenchmarkRun, field for field as in crds/fairlap.dev_benchmarkruns.yaml, in four
// sections: software, problem, compute and storage (hardware is the last two). A fair comparison
// varies one of them. The member initialisers are the API's defaults; a field's meaning is
// documented once, in the CRD. Rules between fields are in rules.h; what this version cannot do yet
// in availability.h.
#ifndef FAIRLAP_LIB_API_SPEC_H_
#define FAIRLAP_LIB_API_SPEC_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/describe.h"

namespace fairlap::api {

using base::Decimal;
using base::DecimalText;
using base::Integer;
using base::IntOrString;
using base::Items;
using base::Plain;
using base::QuantityText;
using base::Text;
using base::Texts;

inline constexpr std::string_view kApiVersion = "fairlap.dev/v1alpha1";
inline constexpr std::string_view kRunKind = "BenchmarkRun";

inline constexpr std::string_view kDnsLabel = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
inline constexpr std::string_view kDnsName =
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
// A label key or an extended resource name: an optional DNS prefix, a slash and a name.
inline constexpr std::string_view kQualifiedName =
    "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$";
inline constexpr std::string_view kLabelValue = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$";
// A path inside a volume: no leading slash, no "..", nothing a shell or a log would trip over.
inline constexpr std::string_view kRelativePath =
    "^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$";
inline constexpr int64_t kMaxRunNameLength = 50;
inline constexpr int64_t kMaxSafeInteger =
    9007199254740991;  // 2^53 - 1: exact in every JSON reader

// ---------------------------------------------------------------- software
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

// ---------------------------------------------------------------- problem
enum class DatasetFormat { kImageFolder, kCifar10, kCarePairs, kSynthetic };
enum class DatasetLayout { kFiles, kPacked };

struct SyntheticSpec {
  int64_t samples = 50'000;
  int64_t validation_samples = 10'000;
  int64_t classes = 1000;

  template <class V>
  static void Describe(V& v) {
    v(&SyntheticSpec::samples, "samples", Integer(1, 100'000'000).Default());
    v(&SyntheticSpec::validation_samples, "validationSamples", Integer(0, 100'000'000).Default());
    v(&SyntheticSpec::classes, "classes", Integer(2, 100'000).Default());
  }
};

struct DatasetSpec {
  DatasetFormat format{};
  DatasetLayout layout = DatasetLayout::kFiles;
  std::string train_path = "train";
  std::string validation_path = "val";
  std::optional<int64_t> image_size;  // pixels an edge; absent: the model's own
  int64_t max_bad_files = 0;
  std::optional<SyntheticSpec> synthetic;

  template <class V>
  static void Describe(V& v) {
    v(&DatasetSpec::format, "format", Plain());
    v(&DatasetSpec::layout, "layout", Plain().Default());
    v(&DatasetSpec::train_path, "trainPath", Text(1, 256, kRelativePath).Default());
    v(&DatasetSpec::validation_path, "validationPath", Text(1, 256, kRelativePath).Default());
    v(&DatasetSpec::image_size, "imageSize", Integer(16, 1024));
    v(&DatasetSpec::max_bad_files, "maxBadFiles", Integer(0, 1'000'000).Default());
    v(&DatasetSpec::synthetic, "synthetic", Plain());
  }
};

enum class OptimizerName { kSgd, kAdam, kAdamW };
enum class ScheduleName { kConstant, kStep, kCosine, kOneCycle, kPolynomial };

struct ScheduleSpec {
  ScheduleName name = ScheduleName::kConstant;
  int64_t warmup_steps = 0;                // linear, from 0 to the learning rate
  std::vector<int64_t> milestones_epochs;  // step: epochs at which the rate is multiplied by gamma
  Decimal gamma{"0.1"};
  Decimal power{"2"};              // polynomial
  Decimal end_learning_rate{"0"};  // cosine, polynomial, oneCycle

  template <class V>
  static void Describe(V& v) {
    v(&ScheduleSpec::name, "name", Plain().Default());
    v(&ScheduleSpec::warmup_steps, "warmupSteps", Integer(0, 1'000'000).Default());
    base::Bounds milestones = Items(0, 16);
    milestones.value = {1, 100'000};
    v(&ScheduleSpec::milestones_epochs, "milestonesEpochs", milestones);
    v(&ScheduleSpec::gamma, "gamma", DecimalText().Default());
    v(&ScheduleSpec::power, "power", DecimalText().Default());
    v(&ScheduleSpec::end_learning_rate, "endLearningRate", DecimalText().Default());
  }
};

struct OptimizerSpec {
  OptimizerName name = OptimizerName::kSgd;
  Decimal learning_rate;
  Decimal momentum{"0.9"};
  bool nesterov = false;
  Decimal weight_decay{"0.0001"};
  bool decay_norm_and_bias = true;
  Decimal beta1{"0.9"};
  Decimal beta2{"0.999"};
  Decimal epsilon{"1e-8"};
  std::optional<Decimal> gradient_clip_norm;
  Decimal label_smoothing{"0"};
  ScheduleSpec schedule;

  template <class V>
  static void Describe(V& v) {
    v(&OptimizerSpec::name, "name", Plain().Default());
    v(&OptimizerSpec::learning_rate, "learningRate", DecimalText());
    v(&OptimizerSpec::momentum, "momentum", DecimalText().Default());
    v(&OptimizerSpec::nesterov, "nesterov", Plain().Default());
    v(&OptimizerSpec::weight_decay, "weightDecay", DecimalText().Default());
    v(&OptimizerSpec::decay_norm_and_bias, "decayNormAndBias", Plain().Default());
    v(&OptimizerSpec::beta1, "beta1", DecimalText().Default());
    v(&OptimizerSpec::beta2, "beta2", DecimalText().Default());
    v(&OptimizerSpec::epsilon, "epsilon", DecimalText().Default());
    v(&OptimizerSpec::gradient_clip_norm, "gradientClipNorm", DecimalText());
    v(&OptimizerSpec::label_smoothing, "labelSmoothing", DecimalText().Default());
    v(&OptimizerSpec::schedule, "schedule", Plain().Default());
  }
};

enum class AccuracyMetric { kTop1, kTop5, kPsnr, kLoss };

struct AccuracyStop {
  AccuracyMetric metric{};
  Decimal target;  // top1, top5: 0..1; psnr: decibels; loss: at or below
  int64_t every_epochs = 1;
  int64_t max_epochs = 200;

  template <class V>
  static void Describe(V& v) {
    v(&AccuracyStop::metric, "metric", Plain());
    v(&AccuracyStop::target, "target", DecimalText());
    v(&AccuracyStop::every_epochs, "everyEpochs", Integer(1, 1000).Default());
    v(&AccuracyStop::max_epochs, "maxEpochs", Integer(1, 100'000).Default());
  }
};

// Exactly one.
struct StopSpec {
  std::optional<int64_t> steps;
  std::optional<int64_t> epochs;
  std::optional<AccuracyStop> accuracy;

  template <class V>
  static void Describe(V& v) {
    v(&StopSpec::steps, "steps", Integer(1, 100'000'000));
    v(&StopSpec::epochs, "epochs", Integer(1, 100'000));
    v(&StopSpec::accuracy, "accuracy", Plain());
  }
};

struct ProblemSpec {
  DatasetSpec dataset;
  std::optional<int64_t> batch_size;         // per device; exactly one of the two
  std::optional<int64_t> global_batch_size;  // over all devices
  OptimizerSpec optimizer;
  StopSpec stop;
  int64_t warmup_steps = 10;

  template <class V>
  static void Describe(V& v) {
    v(&ProblemSpec::dataset, "dataset", Plain());
    v(&ProblemSpec::batch_size, "batchSize", Integer(1, 65'536));
    v(&ProblemSpec::global_batch_size, "globalBatchSize", Integer(1, 1'048'576));
    v(&ProblemSpec::optimizer, "optimizer", Plain());
    v(&ProblemSpec::stop, "stop", Plain());
    v(&ProblemSpec::warmup_steps, "warmupSteps", Integer(0, 1'000'000).Default());
  }
};

// ---------------------------------------------------------------- compute
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

// ---------------------------------------------------------------- storage
enum class AccessMode { kReadWriteOnce, kReadOnlyMany, kReadWriteMany, kReadWriteOncePod };
enum class Staging { kDirect, kCopy };
enum class Cache { kCold, kWarm, kAsIs };

struct DataSource {
  std::optional<std::string> api_group;
  std::string kind;
  std::string name;
  template <class V>
  static void Describe(V& v) {
    v(&DataSource::api_group, "apiGroup", Text(1, 253, kDnsName));
    v(&DataSource::kind, "kind", Text(1, 63, "^[A-Za-z]+$"));
    v(&DataSource::name, "name", Text(1, 253, kDnsName));
  }
};

struct ClaimTemplate {
  std::optional<std::string> storage_class_name;  // absent: the cluster's default class
  IntOrString size;
  std::vector<AccessMode> access_modes;  // empty: ReadWriteOnce
  std::optional<DataSource> data_source;
  template <class V>
  static void Describe(V& v) {
    v(&ClaimTemplate::storage_class_name, "storageClassName", Text(1, 253, kDnsName));
    v(&ClaimTemplate::size, "size", QuantityText());
    v(&ClaimTemplate::access_modes, "accessModes", Items(0, 4));
    v(&ClaimTemplate::data_source, "dataSource", Plain());
  }
};

struct GenerateSpec {
  int64_t classes = 10;
  int64_t images = 1000;
  int64_t seed = 0;
  template <class V>
  static void Describe(V& v) {
    v(&GenerateSpec::classes, "classes", Integer(2, 100'000).Default());
    v(&GenerateSpec::images, "images", Integer(1, 100'000'000).Default());
    v(&GenerateSpec::seed, "seed", Integer(0, kMaxSafeInteger).Default());
  }
};

// Exactly one: how a templated claim is filled, once, outside the clock.
struct PopulateSpec {
  std::optional<std::string> from_claim;
  std::optional<GenerateSpec> generate;
  template <class V>
  static void Describe(V& v) {
    v(&PopulateSpec::from_claim, "fromClaim", Text(1, 253, kDnsName));
    v(&PopulateSpec::generate, "generate", Plain());
  }
};

// Exactly one of claimName, claimTemplate and profile; populate goes with claimTemplate.
struct DataVolume {
  std::optional<std::string> claim_name;
  std::optional<ClaimTemplate> claim_template;
  std::optional<std::string> profile;
  std::optional<PopulateSpec> populate;
  template <class V>
  static void Describe(V& v) {
    v(&DataVolume::claim_name, "claimName", Text(1, 253, kDnsName));
    v(&DataVolume::claim_template, "claimTemplate", Plain());
    v(&DataVolume::profile, "profile", Text(1, 63, kDnsLabel));
    v(&DataVolume::populate, "populate", Plain());
  }
};

struct EmptyDir {
  std::optional<IntOrString> size_limit;
  template <class V>
  static void Describe(V& v) {
    v(&EmptyDir::size_limit, "sizeLimit", QuantityText());
  }
};

// Exactly one.
struct ScratchVolume {
  std::optional<EmptyDir> empty_dir;
  std::optional<ClaimTemplate> claim_template;
  std::optional<std::string> profile;
  template <class V>
  static void Describe(V& v) {
    v(&ScratchVolume::empty_dir, "emptyDir", Plain());
    v(&ScratchVolume::claim_template, "claimTemplate", Plain());
    v(&ScratchVolume::profile, "profile", Text(1, 63, kDnsLabel));
  }
};

struct ResultsVolume {
  std::string claim_name;
  template <class V>
  static void Describe(V& v) {
    v(&ResultsVolume::claim_name, "claimName", Text(1, 253, kDnsName));
  }
};

struct StorageSpec {
  std::optional<DataVolume> data;  // required unless the data set is synthetic
  Staging staging = Staging::kDirect;
  std::optional<ScratchVolume> scratch;  // where staging: copy copies to
  Cache cache = Cache::kAsIs;
  std::optional<ResultsVolume> results;

  template <class V>
  static void Describe(V& v) {
    v(&StorageSpec::data, "data", Plain());
    v(&StorageSpec::staging, "staging", Plain().Default());
    v(&StorageSpec::scratch, "scratch", Plain());
    v(&StorageSpec::cache, "cache", Plain().Default());
    v(&StorageSpec::results, "results", Plain());
  }
};

// ---------------------------------------------------------------- the rest
enum class OnDisruption { kFail, kRerun };

struct MeasurementSpec {
  int64_t repeats = 5;
  int64_t warmup_runs = 1;
  bool stall_analysis = false;
  OnDisruption on_disruption = OnDisruption::kFail;
  std::optional<int64_t> seed;  // absent: drawn, and recorded in status

  template <class V>
  static void Describe(V& v) {
    v(&MeasurementSpec::repeats, "repeats", Integer(1, 50).Default());
    v(&MeasurementSpec::warmup_runs, "warmupRuns", Integer(0, 10).Default());
    v(&MeasurementSpec::stall_analysis, "stallAnalysis", Plain().Default());
    v(&MeasurementSpec::on_disruption, "onDisruption", Plain().Default());
    v(&MeasurementSpec::seed, "seed", Integer(0, kMaxSafeInteger));
  }
};

struct RunSpec {
  SoftwareSpec software;
  ProblemSpec problem;
  ComputeSpec compute;
  StorageSpec storage;
  MeasurementSpec measurement;
  std::optional<std::string> queue_name;
  bool suspend = false;
  int64_t start_deadline_seconds = 1800;
  std::optional<int64_t> queue_deadline_seconds;
  int64_t active_deadline_seconds = 86'400;
  std::optional<int64_t> ttl_seconds_after_finished;
  bool keep_failed_pods = true;

  template <class V>
  static void Describe(V& v) {
    v(&RunSpec::software, "software", Plain());
    v(&RunSpec::problem, "problem", Plain());
    v(&RunSpec::compute, "compute", Plain().Default());
    v(&RunSpec::storage, "storage", Plain().Default());
    v(&RunSpec::measurement, "measurement", Plain().Default());
    v(&RunSpec::queue_name, "queueName", Text(1, 63, kDnsLabel));
    v(&RunSpec::suspend, "suspend", Plain().Default());
    v(&RunSpec::start_deadline_seconds, "startDeadlineSeconds", Integer(1, 604'800).Default());
    v(&RunSpec::queue_deadline_seconds, "queueDeadlineSeconds", Integer(1, 31'536'000));
    v(&RunSpec::active_deadline_seconds, "activeDeadlineSeconds", Integer(1, 31'536'000).Default());
    v(&RunSpec::ttl_seconds_after_finished, "ttlSecondsAfterFinished", Integer(0, 31'536'000));
    v(&RunSpec::keep_failed_pods, "keepFailedPods", Plain().Default());
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
template <>
inline constexpr std::array kEnumNames<api::DatasetFormat> = {"imageFolder"sv, "cifar10"sv,
                                                              "carePairs"sv, "synthetic"sv};
template <>
inline constexpr std::array kEnumNames<api::DatasetLayout> = {"files"sv, "packed"sv};
template <>
inline constexpr std::array kEnumNames<api::OptimizerName> = {"sgd"sv, "adam"sv, "adamW"sv};
template <>
inline constexpr std::array kEnumNames<api::ScheduleName> = {"constant"sv, "step"sv, "cosine"sv,
                                                             "oneCycle"sv, "polynomial"sv};
template <>
inline constexpr std::array kEnumNames<api::AccuracyMetric> = {"top1"sv, "top5"sv, "psnr"sv,
                                                               "loss"sv};
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
template <>
inline constexpr std::array kEnumNames<api::AccessMode> = {"ReadWriteOnce"sv, "ReadOnlyMany"sv,
                                                           "ReadWriteMany"sv, "ReadWriteOncePod"sv};
template <>
inline constexpr std::array kEnumNames<api::Staging> = {"direct"sv, "copy"sv};
template <>
inline constexpr std::array kEnumNames<api::Cache> = {"cold"sv, "warm"sv, "asIs"sv};
template <>
inline constexpr std::array kEnumNames<api::OnDisruption> = {"fail"sv, "rerun"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_SPEC_H_

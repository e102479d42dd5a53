// spec.problem of a BenchmarkRun: what is learnt, how, and until when.
#ifndef FAIRLAP_LIB_API_SPEC_PROBLEM_H_
#define FAIRLAP_LIB_API_SPEC_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/field_bounds.h"

namespace fairlap::api {

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

}  // namespace fairlap::api

namespace fairlap::base {
using std::string_view_literals::operator""sv;
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
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_SPEC_PROBLEM_H_

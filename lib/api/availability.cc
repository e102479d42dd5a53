#include "lib/api/availability.h"

#include <string>
#include <string_view>

namespace fairlap::api {
namespace {

using base::EnumName;
using base::Problems;

// Collects refusals; each names the value and what there is instead ("" where there is nothing).
class Refusals {
 public:
  template <class E>
  void UnlessOneOf(std::string_view path, E value, std::initializer_list<E> available,
                   std::string_view note = {}) {
    std::string names;
    for (const E candidate : available) {
      if (candidate == value) return;
      names += (names.empty() ? "" : ", ") + std::string(EnumName(candidate));
    }
    Add(path, EnumName(value), names + std::string(note));
  }

  void If(bool unavailable, std::string_view path, std::string_view value,
          std::string_view available) {
    if (unavailable) Add(path, value, available);
  }

  Problems Take() { return std::move(problems_); }

 private:
  void Add(std::string_view path, std::string_view value, std::string_view available) {
    std::string message(value);
    message += " is not available in this version";
    if (!available.empty()) message += " (available: " + std::string(available) + ")";
    problems_.push_back({std::string(path), std::move(message)});
  }

  Problems problems_;
};

void CheckSoftware(const RunSpec& spec, Refusals& refusals) {
  const SoftwareSpec& software = spec.software;
  refusals.UnlessOneOf("spec.software.model", software.model,
                       {Model::kResNet50, Model::kResNet20V1});
  // That tf32 needs a GPU is a rule of the API and not of this version (rules.h).
  if (software.precision != Precision::kTf32) {
    refusals.UnlessOneOf("spec.software.precision", software.precision, {Precision::kFp32},
                         ", and tf32 on GPUs");
  }
  refusals.If(software.cuda_graphs, "spec.software.cudaGraphs", "true", "false");
  refusals.UnlessOneOf("spec.software.input.decoder", software.input.decoder, {Decoder::kCpu});
  refusals.UnlessOneOf("spec.software.input.reader", software.input.reader, {Reader::kBuffered});
  refusals.If(software.input.io_timeout_seconds != InputSpec{}.io_timeout_seconds,
              "spec.software.input.ioTimeoutSeconds", "a limit on single reads", "leave it out");
}

void CheckOptimizer(const OptimizerSpec& optimizer, Refusals& refusals) {
  refusals.UnlessOneOf("spec.problem.optimizer.name", optimizer.name, {OptimizerName::kSgd});
  refusals.If(optimizer.gradient_clip_norm.has_value(), "spec.problem.optimizer.gradientClipNorm",
              "gradient clipping", "leave it out");
  refusals.If(optimizer.label_smoothing.Value() != 0, "spec.problem.optimizer.labelSmoothing",
              optimizer.label_smoothing.text, "\"0\"");
  refusals.UnlessOneOf("spec.problem.optimizer.schedule.name", optimizer.schedule.name,
                       {ScheduleName::kConstant, ScheduleName::kStep, ScheduleName::kCosine});
}

void CheckProblem(const ProblemSpec& problem, Refusals& refusals) {
  refusals.UnlessOneOf(
      "spec.problem.dataset.format", problem.dataset.format,
      {DatasetFormat::kImageFolder, DatasetFormat::kCifar10, DatasetFormat::kSynthetic});
  refusals.UnlessOneOf("spec.problem.dataset.layout", problem.dataset.layout,
                       {DatasetLayout::kFiles});
  CheckOptimizer(problem.optimizer, refusals);
  if (problem.stop.accuracy) {
    refusals.UnlessOneOf("spec.problem.stop.accuracy.metric", problem.stop.accuracy->metric,
                         {AccuracyMetric::kTop1, AccuracyMetric::kTop5, AccuracyMetric::kLoss});
  }
}

void CheckCompute(const ComputeSpec& compute, Refusals& refusals) {
  refusals.UnlessOneOf("spec.compute.device", compute.device, {Device::kCpu, Device::kGpu});
  refusals.If(compute.gpus.value_or(0) > 1, "spec.compute.gpus",
              std::to_string(compute.gpus.value_or(0)), "0 and 1");
  refusals.If(compute.nodes > 1, "spec.compute.nodes", std::to_string(compute.nodes), "1");
  refusals.UnlessOneOf("spec.compute.placement", compute.placement, {Placement::kAny});
  refusals.If(compute.price_per_hour.has_value(), "spec.compute.pricePerHour", "cost",
              "leave it out");
}

void CheckStorage(const StorageSpec& storage, Refusals& refusals) {
  if (storage.data) {
    const auto& populate = storage.data->populate;
    refusals.If(populate && populate->from_claim, "spec.storage.data.populate.fromClaim",
                "copying another claim", "generate, or claimTemplate.dataSource");
    refusals.If(storage.data->profile.has_value(), "spec.storage.data.profile", "a storage profile",
                "claimName and claimTemplate");
  }
  refusals.UnlessOneOf("spec.storage.staging", storage.staging, {Staging::kDirect});
  refusals.UnlessOneOf("spec.storage.cache", storage.cache, {Cache::kAsIs});
}

void CheckMeasurement(const MeasurementSpec& measurement, Refusals& refusals) {
  refusals.If(measurement.stall_analysis, "spec.measurement.stallAnalysis", "true", "false");
  refusals.UnlessOneOf("spec.measurement.onDisruption", measurement.on_disruption,
                       {OnDisruption::kFail});
}

}  // namespace

Problems CheckAvailability(const RunSpec& spec) {
  Refusals refusals;
  CheckSoftware(spec, refusals);
  CheckProblem(spec.problem, refusals);
  CheckCompute(spec.compute, refusals);
  CheckStorage(spec.storage, refusals);
  CheckMeasurement(spec.measurement, refusals);
  return refusals.Take();
}

}  // namespace fairlap::api

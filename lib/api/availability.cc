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
  void UnlessOneOf(std::string_view path, E value, std::initializer_list<E> available) {
    std::string names;
    for (const E candidate : available) {
      if (candidate == value) return;
      names += (names.empty() ? "" : ", ") + std::string(EnumName(candidate));
    }
    Add(path, EnumName(value), names);
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
  refusals.UnlessOneOf("spec.software.input.decoder", software.input.decoder, {Decoder::kCpu});
  refusals.UnlessOneOf("spec.software.input.reader", software.input.reader,
                       {Reader::kBuffered, Reader::kDirect});
  refusals.If(software.input.reader == Reader::kDirect &&
                  spec.problem.dataset.layout == DatasetLayout::kPacked,
              "spec.software.input.reader", "direct for a packed data set", "buffered");
}

void CheckProblem(const ProblemSpec& problem, Refusals& refusals) {
  const DatasetSpec& dataset = problem.dataset;
  refusals.If(
      dataset.layout == DatasetLayout::kPacked && dataset.format == DatasetFormat::kCarePairs,
      "spec.problem.dataset.layout", "packed for carePairs", "files, and packed for imageFolder");
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

void CheckStorage(const RunSpec& spec, Refusals& refusals) {
  const StorageSpec& storage = spec.storage;
  if (storage.data) {
    const auto& populate = storage.data->populate;
    refusals.If(populate && populate->from_claim, "spec.storage.data.populate.fromClaim",
                "copying another claim", "generate, or claimTemplate.dataSource");
    refusals.If(storage.data->profile.has_value(), "spec.storage.data.profile", "a storage profile",
                "claimName and claimTemplate");
  }
  refusals.If(
      storage.cache != Cache::kAsIs && spec.problem.dataset.layout == DatasetLayout::kPacked,
      "spec.storage.cache", "preparing a packed data set", "asIs");
  refusals.If(storage.scratch && storage.scratch->profile, "spec.storage.scratch.profile",
              "a storage profile", "emptyDir and claimTemplate");
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
  CheckStorage(spec, refusals);
  CheckMeasurement(spec.measurement, refusals);
  return refusals.Take();
}

}  // namespace fairlap::api

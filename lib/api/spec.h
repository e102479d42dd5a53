// The spec of a BenchmarkRun, field for field as in crds/fairlap.dev_benchmarkruns.yaml, in four
// sections, a header each: software, problem, compute and storage (hardware is the last two). A
// fair comparison varies one of them. The member initialisers are the API's defaults; a field's
// meaning is documented once, in the CRD. Rules between fields are in rules.h; what this version
// cannot do yet in availability.h.
#ifndef FAIRLAP_LIB_API_SPEC_H_
#define FAIRLAP_LIB_API_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/api/field_bounds.h"
#include "lib/api/spec_compute.h"
#include "lib/api/spec_problem.h"
#include "lib/api/spec_software.h"
#include "lib/api/spec_storage.h"

namespace fairlap::api {

inline constexpr std::string_view kApiVersion = "fairlap.dev/v1alpha1";
inline constexpr std::string_view kRunKind = "BenchmarkRun";

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
template <>
inline constexpr std::array kEnumNames<api::OnDisruption> = {"fail"sv, "rerun"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_SPEC_H_

// What a repeat is measured on, and what disturbed it while it ran.
#ifndef FAIRLAP_WORKER_MEASURE_ENVIRONMENT_H_
#define FAIRLAP_WORKER_MEASURE_ENVIRONMENT_H_

#include <filesystem>
#include <optional>
#include <string>

#include "lib/report/report.h"
#include "worker/measure/build_facts.h"
#include "worker/measure/environment_text.h"
#include "worker/measure/nvml.h"

namespace fairlap::measure {

// What only the framework knows; this library does not link it.
struct FrameworkFacts {
  std::string name = kUnknown;            // "libtorch 2.15.0"
  std::string allocator = kUnknown;       // "tcmalloc (gperftools 2.10), huge pages"
  std::string cpu_capability = kUnknown;  // "AVX2"
  std::string cuda_version = kUnknown, cudnn_version = kUnknown, nccl_version = kUnknown;
};

struct EnvironmentRequest {
  FrameworkFacts framework;
  BuildFacts build;
  std::filesystem::path data;  // where the data set lies; "" if there is none
  int64_t compute_threads = 0;
  int64_t input_threads = 0;
  std::filesystem::path root = "/";  // of /proc, /sys and /etc, for tests
  std::string nvml = kNvmlLibrary;
};

// The mount that holds an existing path, links followed; nullopt where that cannot be observed.
std::optional<Mount> ObserveMount(const std::filesystem::path& path,
                                  const std::filesystem::path& root = "/");

// Everything that does not change while the repeat runs. "unknown" where it could not be observed.
report::Environment ObserveEnvironment(const EnvironmentRequest& request);

// Counters that only grow, of the machine and of this process.
struct Disturbance {
  std::optional<CpuTicks> cpu;
  std::optional<Throttling> throttling;
  double own_cpu_seconds = 0;
};
Disturbance ObserveDisturbance(const std::filesystem::path& root = "/");

// Fills the ratios of what happened between two observations, and warns where they pass what
// docs/measurement.md allows: throttled periods above 5 %, steal above 1 %, foreign CPU above 10 %.
// `ticks_per_second`: of CpuTicks.
void AddDisturbance(const Disturbance& before, const Disturbance& after, double ticks_per_second,
                    report::Environment& environment);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_ENVIRONMENT_H_

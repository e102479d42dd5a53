// The CPU and memory limits that hold for this process, from cgroup versions 1 and 2. A limit may
// sit on any ancestor, so each is the tightest on the way up.
#ifndef FAIRLAP_WORKER_MEASURE_CGROUP_H_
#define FAIRLAP_WORKER_MEASURE_CGROUP_H_

#include <cstdint>
#include <filesystem>
#include <optional>

#include "worker/measure/environment_text.h"

namespace fairlap::measure {

struct CgroupLimits {
  std::optional<double> cpu_quota;  // CPUs
  std::optional<int64_t> memory_bytes;
};

// `root` is "/" but in tests.
CgroupLimits ObserveCgroupLimits(const std::filesystem::path& root);
// Of the nearest group that counts; both only grow.
std::optional<Throttling> ObserveThrottling(const std::filesystem::path& root);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_CGROUP_H_

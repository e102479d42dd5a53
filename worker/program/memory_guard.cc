#include "worker/program/memory_guard.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "worker/measure/environment_text.h"
#include "worker/measure/system_file.h"

namespace fairlap::program {
namespace {

constexpr int64_t kKernelShare = 50;  // one in so many bytes

bool SetSoftLimit(rlim_t wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  return setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace

int64_t DataLimit(int64_t memory_bytes, int64_t mapped_bytes, int64_t touched_bytes) {
  const int64_t untouched = std::max<int64_t>(0, mapped_bytes - touched_bytes);
  return memory_bytes - memory_bytes / kKernelShare + untouched;
}

void GuardMemory(std::optional<int64_t> control_group_bytes) {
  const std::string status = measure::ReadSystemFile("/proc/self/status");
  const int64_t mapped = measure::ParseBytes(status, "VmData").value_or(0);
  const int64_t touched = measure::ParseBytes(status, "RssAnon").value_or(0);
  const std::string machine = measure::ReadSystemFile("/proc/meminfo");
  const int64_t available = measure::ParseBytes(machine, "MemAvailable").value_or(0) + touched;
  const int64_t memory = control_group_bytes.value_or(available);
  if (!SetSoftLimit(static_cast<rlim_t>(DataLimit(memory, mapped, touched)))) {
    spdlog::warn("memory is not guarded: {}", std::strerror(errno));
  }
}

void LiftMemoryGuard() { SetSoftLimit(RLIM_INFINITY); }

}  // namespace fairlap::program

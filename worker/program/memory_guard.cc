#include "worker/program/memory_guard.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

namespace fairlap::program {
namespace {

constexpr int64_t kKernelShare = 50;  // one in so many bytes

// "VmData:   123 kB" of such a file in bytes; 0 if there is no such line.
int64_t BytesIn(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return 1024 * std::stoll(line.substr(name.size()));
  }
  return 0;
}

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
  const int64_t mapped = BytesIn("/proc/self/status", "VmData:");
  const int64_t touched = BytesIn("/proc/self/status", "RssAnon:");
  const int64_t available = BytesIn("/proc/meminfo", "MemAvailable:") + touched;
  const int64_t memory = control_group_bytes.value_or(available);
  if (!SetSoftLimit(static_cast<rlim_t>(DataLimit(memory, mapped, touched)))) {
    spdlog::warn("memory is not guarded: {}", std::strerror(errno));
  }
}

void LiftMemoryGuard() { SetSoftLimit(RLIM_INFINITY); }

}  // namespace fairlap::program

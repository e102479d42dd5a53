#include "worker/measure/process.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "worker/measure/environment_text.h"
#include "worker/measure/system_file.h"

namespace fairlap::measure {
namespace {

double ToSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

base::WallTime ProcessStartTime(const base::Clock& clock) {
  const base::WallTime now = clock.WallNow();
  const auto start_ticks = ParseStartTicks(ReadSystemFile("/proc/self/stat"));
  timespec since_boot{};
  if (!start_ticks || clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0) return now;
  const double started =
      static_cast<double>(*start_ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  const double uptime =
      static_cast<double>(since_boot.tv_sec) + 1e-9 * static_cast<double>(since_boot.tv_nsec);
  const base::Seconds age(std::max(0.0, uptime - started));
  return now - std::chrono::duration_cast<base::WallTime::duration>(age);
}

int64_t AffinityCpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return CPU_COUNT(&cpus);
  return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));  // more CPUs than the fixed set holds
}

int64_t ComputeThreads(int64_t affinity_cpus, std::optional<double> cpu_quota) {
  const double allowed = cpu_quota.value_or(static_cast<double>(affinity_cpus));
  return std::clamp<int64_t>(static_cast<int64_t>(std::floor(allowed)), 1,
                             std::max<int64_t>(1, affinity_cpus));
}

std::optional<int64_t> FetchedBytes() { return ParseReadBytes(ReadSystemFile("/proc/self/io")); }

std::optional<int64_t> FetchedByThread(int64_t thread) {
  return ParseReadBytes(ReadSystemFile("/proc/self/task/" + std::to_string(thread) + "/io"));
}

std::optional<int64_t> ServerReadBytes(std::string_view mount_point) {
  return ParseServerReadBytes(ReadSystemFile("/proc/self/mountstats"), mount_point);
}

double ProcessCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return ToSeconds(usage.ru_utime) + ToSeconds(usage.ru_stime);
}

}  // namespace fairlap::measure

// What Linux tells about itself in text files, read out of their text. Pure; a value that is not
// there is nullopt (or "unknown" where the report wants text).
#ifndef FAIRLAP_WORKER_MEASURE_ENVIRONMENT_TEXT_H_
#define FAIRLAP_WORKER_MEASURE_ENVIRONMENT_TEXT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlap::measure {

inline constexpr char kUnknown[] = "unknown";

std::string ParseCpuModel(std::string_view cpuinfo);            // /proc/cpuinfo
std::string ParseOperatingSystem(std::string_view os_release);  // /etc/os-release: PRETTY_NAME
// A line "<name>: 123 kB" of /proc/meminfo or /proc/<pid>/status, in bytes.
std::optional<int64_t> ParseBytes(std::string_view text, std::string_view name);
std::optional<int64_t> ParseMemoryTotal(std::string_view meminfo);  // /proc/meminfo, in bytes
std::optional<double> ParseLoadAverage(std::string_view loadavg);   // /proc/loadavg, of 1 minute

// Ticks since boot, over all CPUs.
struct CpuTicks {
  int64_t busy = 0;   // neither idle nor waiting for a disk nor stolen
  int64_t steal = 0;  // taken by the hypervisor
  int64_t total = 0;
};
std::optional<CpuTicks> ParseCpuTicks(std::string_view stat);  // /proc/stat

// Bytes that a process or thread really caused to be fetched from a device.
std::optional<int64_t> ParseReadBytes(std::string_view io);  // /proc/self/io
// Bytes that an NFS server has sent for files read below a mount point: /proc/self/mountstats, the
// "bytes:" line of the topmost mount there. They are of the whole machine's readers, and files' own
// bytes, not whole pages.
std::optional<int64_t> ParseServerReadBytes(std::string_view mountstats,
                                            std::string_view mount_point);
// Ticks from boot to this process's start.
std::optional<int64_t> ParseStartTicks(std::string_view stat);  // /proc/self/stat

struct Mount {
  std::string mount_point, file_system, source;
  std::string options;  // of the mount and of the file system, comma-separated
};
std::vector<Mount> ParseMounts(std::string_view mountinfo);  // /proc/self/mountinfo, in its order
// The mount that holds an absolute path; nullptr if none does.
const Mount* FindMount(const std::vector<Mount>& mounts, std::string_view path);

// /proc/self/cgroup: the path of each version 1 controller, and under "" that of version 2.
std::map<std::string, std::string> ParseCgroupPaths(std::string_view cgroup);
// Version 2 cpu.max: CPUs allowed; nullopt for "max".
std::optional<double> ParseCpuMax(std::string_view cpu_max);
// A whole number alone in a file; nullopt for "max" and for the huge number that version 1 says
// instead.
std::optional<int64_t> ParseLimit(std::string_view text);

struct Throttling {
  int64_t periods = 0;
  int64_t throttled = 0;
};
std::optional<Throttling> ParseThrottling(std::string_view cpu_stat);  // cpu.stat, both versions

// "kubernetes", "docker", "podman", "lxc", "containerd" or "cri-o", as the cgroup's paths say; ""
// if they say nothing.
std::string ContainerFromCgroup(std::string_view cgroup);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_ENVIRONMENT_TEXT_H_

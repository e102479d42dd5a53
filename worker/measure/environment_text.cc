#include "worker/measure/environment_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace fairlap::measure {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n\"");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n\"") - begin + 1);
}

std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return parts;
}

// What follows `key` and any of `separators` in the first line that starts with the key.
std::optional<std::string_view> ValueOf(std::string_view text, std::string_view key,
                                        std::string_view separators) {
  for (std::string_view line : Split(text, "\n")) {
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const size_t value = line.find_first_not_of(separators);
    if (value == 0) continue;  // a longer key
    return value == std::string_view::npos ? std::string_view{} : Trim(line.substr(value));
  }
  return std::nullopt;
}

template <class Number>
std::optional<Number> ToNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return number;
}

std::optional<int64_t> CountOf(std::string_view text, std::string_view key,
                               std::string_view separators) {
  const auto value = ValueOf(text, key, separators);
  return value ? ToNumber<int64_t>(*value) : std::nullopt;
}

// mountinfo writes blanks and backslashes in paths as \ooo.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 3, code, 8).ptr == &text[i + 1] + 3) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// "36 35 98:0 / /data rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue"
std::optional<Mount> ParseMount(std::string_view line) {
  const size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  const auto before = Split(line.substr(0, dash), " ");
  const auto after = Split(line.substr(dash + 3), " ");
  if (before.size() < 6 || after.size() < 2) return std::nullopt;
  Mount mount{Unescape(before[4]), std::string(after[0]), Unescape(after[1]),
              std::string(before[5])};
  if (after.size() > 2) mount.options += "," + std::string(after[2]);
  return mount;
}

bool Holds(const Mount& mount, std::string_view path) {
  const std::string_view point = mount.mount_point;
  if (point == "/") return path.starts_with('/');
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

}  // namespace

std::string ParseCpuModel(std::string_view cpuinfo) {
  return std::string(ValueOf(cpuinfo, "model name", "\t :").value_or(kUnknown));
}

std::string ParseOperatingSystem(std::string_view os_release) {
  return std::string(ValueOf(os_release, "PRETTY_NAME", "=").value_or(kUnknown));
}

std::optional<int64_t> ParseBytes(std::string_view text, std::string_view name) {
  const auto kibibytes = CountOf(text, name, "\t: ");
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

std::optional<int64_t> ParseMemoryTotal(std::string_view meminfo) {
  return ParseBytes(meminfo, "MemTotal");
}

std::optional<double> ParseLoadAverage(std::string_view loadavg) {
  return ToNumber<double>(loadavg);
}

std::optional<CpuTicks> ParseCpuTicks(std::string_view stat) {
  // user nice system idle iowait irq softirq steal; guest time is part of user.
  const auto line = ValueOf(stat, "cpu", kBlanks);
  if (!line) return std::nullopt;
  const auto fields = Split(*line, kBlanks);
  if (fields.size() < 8) return std::nullopt;
  std::array<int64_t, 8> ticks{};
  CpuTicks sums;
  for (size_t i = 0; i < ticks.size(); ++i) {
    ticks[i] = ToNumber<int64_t>(fields[i]).value_or(0);
    sums.total += ticks[i];
  }
  sums.steal = ticks[7];
  sums.busy = sums.total - ticks[3] - ticks[4] - ticks[7];
  return sums;
}

std::optional<int64_t> ParseReadBytes(std::string_view io) {
  return CountOf(io, "read_bytes", ": ");
}

std::optional<int64_t> ParseServerReadBytes(std::string_view mountstats,
                                            std::string_view mount_point) {
  // "device server:/export mounted on /data with fstype nfs4 statvers=1.1", and below it, until the
  // next device: "bytes:" with what applications read and wrote, the same by direct I/O, and,
  // fifth, what the server sent (Documentation/filesystems/nfs and nfs_show_stats in
  // fs/nfs/super.c).
  constexpr size_t kMountPoint = 4, kServerRead = 5;
  std::optional<int64_t> bytes;
  bool is_here = false;
  for (const std::string_view line : Split(mountstats, "\n")) {
    const auto fields = Split(line, kBlanks);
    if (fields.size() > kMountPoint && fields[0] == "device" && fields[2] == "mounted") {
      is_here = Unescape(fields[kMountPoint]) == mount_point;
    } else if (is_here && fields.size() > kServerRead && fields[0] == "bytes:") {
      bytes = ToNumber<int64_t>(fields[kServerRead]);
    }
  }
  return bytes;
}

std::optional<int64_t> ParseStartTicks(std::string_view stat) {
  // Field 22; the name in parentheses, field 2, may hold blanks and parentheses itself.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto fields = Split(stat.substr(name_end + 1), " ");
  constexpr size_t kStartTime = 22 - 3;
  return fields.size() > kStartTime ? ToNumber<int64_t>(fields[kStartTime]) : std::nullopt;
}

std::vector<Mount> ParseMounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  for (const std::string_view line : Split(mountinfo, "\n")) {
    if (auto mount = ParseMount(line)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

const Mount* FindMount(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* found = nullptr;
  for (const Mount& mount : mounts) {
    // Of equal mount points the later one lies on top.
    if (Holds(mount, path) && (!found || mount.mount_point.size() >= found->mount_point.size())) {
      found = &mount;
    }
  }
  return found;
}

std::map<std::string, std::string> ParseCgroupPaths(std::string_view cgroup) {
  std::map<std::string, std::string> paths;
  for (const std::string_view line : Split(cgroup, "\n")) {
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string path(line.substr(second + 1));
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) paths[""] = path;
    for (const std::string_view controller : Split(controllers, ",")) {
      paths[std::string(controller)] = path;
    }
  }
  return paths;
}

std::optional<double> ParseCpuMax(std::string_view cpu_max) {
  const auto fields = Split(cpu_max, " \n");
  if (fields.size() < 2) return std::nullopt;
  const auto quota = ToNumber<double>(fields[0]);
  const auto period = ToNumber<double>(fields[1]);
  if (!quota || !period || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<int64_t> ParseLimit(std::string_view text) {
  // Version 1 says "no limit" as the largest multiple of a page that fits.
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max() - 65'536;
  const auto limit = ToNumber<int64_t>(Trim(text));
  return limit && *limit < kNoLimit && *limit >= 0 ? limit : std::nullopt;
}

std::optional<Throttling> ParseThrottling(std::string_view cpu_stat) {
  const auto periods = CountOf(cpu_stat, "nr_periods", " ");
  const auto throttled = CountOf(cpu_stat, "nr_throttled", " ");
  if (!periods || !throttled) return std::nullopt;
  return Throttling{*periods, *throttled};
}

std::string ContainerFromCgroup(std::string_view cgroup) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSigns = {{
      {"kubepods", "kubernetes"},
      {"docker", "docker"},
      {"libpod", "podman"},
      {"/lxc", "lxc"},
      {"containerd", "containerd"},
      {"crio", "cri-o"},
  }};
  for (const auto& [sign, name] : kSigns) {
    if (cgroup.find(sign) != std::string_view::npos) return std::string(name);
  }
  return "";
}

}  // namespace fairlap::measure

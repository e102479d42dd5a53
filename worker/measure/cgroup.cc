#include "worker/measure/cgroup.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "worker/measure/system_file.h"

namespace fairlap::measure {
namespace {

namespace fs = std::filesystem;

// The folders of a controller's group and its ancestors, nearest first. A container that sees the
// host's path but only its own part of the tree still finds its limits at the mount's top.
std::vector<fs::path> GroupFolders(const fs::path& root, std::string_view controller) {
  const auto paths = ParseCgroupPaths(ReadSystemFile(root / "proc/self/cgroup"));
  fs::path mount = root / "sys/fs/cgroup";
  auto found = paths.find(std::string(controller));
  if (found != paths.end()) {
    mount /= controller;
  } else if (found = paths.find(""); found == paths.end()) {
    return {};
  }
  std::vector<fs::path> folders;
  fs::path group = fs::path(found->second).relative_path();
  for (; !group.empty(); group = group.parent_path()) folders.push_back(mount / group);
  folders.push_back(mount);
  return folders;
}

template <class Value>
void Tighten(std::optional<Value>& limit, std::optional<Value> other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

std::optional<double> QuotaIn(const fs::path& folder) {
  if (auto quota = ParseCpuMax(ReadSystemFile(folder / "cpu.max"))) return quota;
  const auto quota = ParseLimit(ReadSystemFile(folder / "cpu.cfs_quota_us"));  // -1: none
  const auto period = ParseLimit(ReadSystemFile(folder / "cpu.cfs_period_us"));
  if (!quota || !period || *period == 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

CgroupLimits ObserveCgroupLimits(const fs::path& root) {
  CgroupLimits limits;
  for (const fs::path& folder : GroupFolders(root, "cpu")) {
    Tighten(limits.cpu_quota, QuotaIn(folder));
  }
  for (const fs::path& folder : GroupFolders(root, "memory")) {
    Tighten(limits.memory_bytes, ParseLimit(ReadSystemFile(folder / "memory.max")));
    Tighten(limits.memory_bytes, ParseLimit(ReadSystemFile(folder / "memory.limit_in_bytes")));
  }
  return limits;
}

std::optional<Throttling> ObserveThrottling(const fs::path& root) {
  for (const fs::path& folder : GroupFolders(root, "cpu")) {
    if (auto throttling = ParseThrottling(ReadSystemFile(folder / "cpu.stat"))) return throttling;
  }
  return std::nullopt;
}

}  // namespace fairlap::measure

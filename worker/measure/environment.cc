#include "worker/measure/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "lib/base/number.h"
#include "worker/measure/cgroup.h"
#include "worker/measure/cloud.h"
#include "worker/measure/process.h"
#include "worker/measure/system_file.h"

namespace fairlap::measure {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxThrottledRatio = 0.05;
constexpr double kMaxStealRatio = 0.01;
constexpr double kMaxForeignRatio = 0.10;

void AddBuild(const BuildFacts& build, report::Environment& environment) {
  environment.build_id = build.build_id;
  environment.git_revision = build.git_revision;
  environment.build_type = build.build_type;
  environment.compiler = build.compiler;
  environment.warnings = BuildWarnings(build);
}

void AddFramework(const FrameworkFacts& framework, report::Environment& environment) {
  environment.framework = framework.name;
  environment.allocator = framework.allocator;
  environment.cpu_capability = framework.cpu_capability;
  environment.cuda_version = framework.cuda_version;
  environment.cudnn_version = framework.cudnn_version;
  environment.nccl_version = framework.nccl_version;
}

std::string ObserveContainer(const fs::path& root) {
  if (std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) return "kubernetes";
  const std::string cgroup = ReadSystemFile(root / "proc/self/cgroup");
  if (std::string name = ContainerFromCgroup(cgroup); !name.empty()) return name;
  std::error_code ignored;
  if (fs::exists(root / ".dockerenv", ignored)) return "docker";
  if (fs::exists(root / "run/.containerenv", ignored)) return "podman";
  const auto mounts = ParseMounts(ReadSystemFile(root / "proc/self/mountinfo"));
  const Mount* top = FindMount(mounts, "/");
  if (top == nullptr) return kUnknown;
  return top->file_system == "overlay" ? "overlay root file system" : "none";
}

void AddMachine(const fs::path& root, report::Environment& environment) {
  utsname name{};
  const bool named = uname(&name) == 0;
  environment.hostname = named ? name.nodename : kUnknown;
  environment.kernel = named ? std::string(name.sysname) + " " + name.release : kUnknown;
  environment.operating_system = ParseOperatingSystem(ReadSystemFile(root / "etc/os-release"));
  environment.cpu_model = ParseCpuModel(ReadSystemFile(root / "proc/cpuinfo"));
  environment.logical_cpus = sysconf(_SC_NPROCESSORS_ONLN);
  environment.usable_cpus = AffinityCpus();
  environment.memory_bytes = ParseMemoryTotal(ReadSystemFile(root / "proc/meminfo"));
  environment.load_average_at_start = ParseLoadAverage(ReadSystemFile(root / "proc/loadavg"));
  const CgroupLimits limits = ObserveCgroupLimits(root);
  environment.cpu_quota = limits.cpu_quota;
  environment.memory_limit_bytes = limits.memory_bytes;
  environment.container = ObserveContainer(root);
}

void AddDataMount(const EnvironmentRequest& request, report::Environment& environment) {
  environment.data_file_system = kUnknown;
  environment.data_mount_source = kUnknown;
  environment.data_mount_options = kUnknown;
  if (request.data.empty()) return;
  if (const auto mount = ObserveMount(request.data, request.root)) {
    environment.data_file_system = mount->file_system;
    environment.data_mount_source = mount->source;
    environment.data_mount_options = mount->options;
  }
}

// Time-slicing is the node's secret; that there is an MPS server is in the environment.
void AddGpus(const std::string& nvml, report::Environment& environment) {
  environment.gpus = ObserveGpus(nvml);
  environment.gpu_sharing = kUnknown;
  if (environment.gpus.empty()) environment.gpu_sharing = "none";
  if (std::getenv("CUDA_MPS_PIPE_DIRECTORY") != nullptr) environment.gpu_sharing = "mps";
}

void AddCloud(const fs::path& root, report::Environment& environment) {
  CloudFacts cloud = ObserveCloud(root);
  environment.cloud_provider = std::move(cloud.provider);
  environment.instance_type = std::move(cloud.instance_type);
  environment.region = std::move(cloud.region);
}

std::string Percent(double ratio) { return base::FormatNumber(100 * ratio) + " %"; }

void WarnAbove(double limit, double ratio, const std::string& what,
               report::Environment& environment) {
  if (ratio > limit) environment.warnings.push_back(what + " " + Percent(ratio));
}

void AddThrottling(const Throttling& before, const Throttling& after,
                   report::Environment& environment) {
  const int64_t periods = after.periods - before.periods;
  if (periods < 0) return;
  const double ratio = periods == 0 ? 0
                                    : static_cast<double>(after.throttled - before.throttled) /
                                          static_cast<double>(periods);
  environment.cgroup_throttled_ratio = ratio;
  WarnAbove(kMaxThrottledRatio, ratio, "the CPU quota throttled this many periods:", environment);
}

void AddCpu(const CpuTicks& before, const CpuTicks& after, double own_ticks,
            report::Environment& environment) {
  const auto total = static_cast<double>(after.total - before.total);
  if (total <= 0) return;
  const double steal = static_cast<double>(after.steal - before.steal) / total;
  environment.cpu_steal_ratio = steal;
  WarnAbove(kMaxStealRatio, steal, "the hypervisor took CPU time away:", environment);
  const double foreign = (static_cast<double>(after.busy - before.busy) - own_ticks) / total;
  WarnAbove(kMaxForeignRatio, foreign,
            "other processes kept the machine's CPUs busy:", environment);
}

}  // namespace

std::optional<Mount> ObserveMount(const fs::path& path, const fs::path& root) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed) return std::nullopt;
  const auto mounts = ParseMounts(ReadSystemFile(root / "proc/self/mountinfo"));
  const Mount* mount = FindMount(mounts, real.string());
  return mount == nullptr ? std::nullopt : std::optional(*mount);
}

report::Environment ObserveEnvironment(const EnvironmentRequest& request) {
  report::Environment environment;
  AddBuild(request.build, environment);
  AddFramework(request.framework, environment);
  AddMachine(request.root, environment);
  AddDataMount(request, environment);
  environment.compute_threads = request.compute_threads;
  environment.input_threads = request.input_threads;
  AddGpus(request.nvml, environment);
  AddCloud(request.root, environment);
  environment.image_digest = environment.container == "none" ? "none" : kUnknown;
  return environment;
}

Disturbance ObserveDisturbance(const fs::path& root) {
  return Disturbance{ParseCpuTicks(ReadSystemFile(root / "proc/stat")), ObserveThrottling(root),
                     ProcessCpuSeconds()};
}

void AddDisturbance(const Disturbance& before, const Disturbance& after, double ticks_per_second,
                    report::Environment& environment) {
  if (before.throttling && after.throttling) {
    AddThrottling(*before.throttling, *after.throttling, environment);
  }
  if (before.cpu && after.cpu) {
    const double own = (after.own_cpu_seconds - before.own_cpu_seconds) * ticks_per_second;
    AddCpu(*before.cpu, *after.cpu, own, environment);
  }
}

}  // namespace fairlap::measure

#include "worker/measure/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "worker/measure/cgroup.h"
#include "worker/measure/process.h"

namespace fairlap::measure {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A made-up root file system.
class Root {
 public:
  Root() : path_(fs::path(::testing::TempDir()) / ("root" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Root() { fs::remove_all(path_); }
  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  const fs::path& path() const { return path_; }

 private:
  const fs::path path_;
};

TEST(ObserveCgroupLimits, TakesTheTightestOnTheWayUpOfVersion2) {
  const Root root;
  root.Write("proc/self/cgroup", "0::/pod/container\n");
  root.Write("sys/fs/cgroup/pod/container/cpu.max", "400000 100000\n");
  root.Write("sys/fs/cgroup/pod/container/memory.max", "max\n");
  root.Write("sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
  root.Write("sys/fs/cgroup/pod/memory.max", "2048\n");
  const CgroupLimits limits = ObserveCgroupLimits(root.path());
  EXPECT_EQ(limits.cpu_quota, 1.5);
  EXPECT_EQ(limits.memory_bytes, 2048);
}

TEST(ObserveCgroupLimits, ReadsVersion1) {
  const Root root;
  root.Write("proc/self/cgroup", "3:memory:/a\n2:cpu:/a\n0::/\n");
  root.Write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "250000\n");
  root.Write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  root.Write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4096\n");
  root.Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.Write("sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 10\nnr_throttled 2\n");
  const CgroupLimits limits = ObserveCgroupLimits(root.path());
  EXPECT_EQ(limits.cpu_quota, 2.5);
  EXPECT_EQ(limits.memory_bytes, 4096);
  EXPECT_EQ(ObserveThrottling(root.path())->throttled, 2);
}

TEST(ObserveCgroupLimits, FindsALimitAtTheTopWhereTheHostsPathIsNotVisible) {
  const Root root;
  root.Write("proc/self/cgroup", "2:cpu:/kubepods/not/here\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(ObserveCgroupLimits(root.path()).cpu_quota, 0.5);
}

TEST(ObserveEnvironment, SaysUnknownOfWhatItCannotSee) {
  const Root root;
  EnvironmentRequest request;
  request.root = root.path();
  request.data = "/no/such/folder";
  const report::Environment environment = ObserveEnvironment(request);
  EXPECT_EQ(environment.cpu_model, "unknown");
  EXPECT_EQ(environment.operating_system, "unknown");
  EXPECT_EQ(environment.data_file_system, "unknown");
  EXPECT_EQ(environment.framework, "unknown");
  EXPECT_EQ(environment.cloud_provider, "unknown");
  EXPECT_EQ(environment.instance_type, "unknown");
  EXPECT_FALSE(environment.memory_bytes.has_value());
  EXPECT_FALSE(environment.cpu_quota.has_value());
  EXPECT_FALSE(environment.load_average_at_start.has_value());
}

TEST(ObserveEnvironment, TakesTheCloudFromTheFirmwareAndTheGpusFromTheDriver) {
  const Root root;
  root.Write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
  root.Write("sys/class/dmi/id/product_name", "p5.48xlarge\n");
  EnvironmentRequest request;
  request.root = root.path();
  request.nvml = FAIRLAP_FAKE_NVML;
  const report::Environment environment = ObserveEnvironment(request);
  EXPECT_EQ(environment.cloud_provider, "aws");
  EXPECT_EQ(environment.instance_type, "p5.48xlarge");
  ASSERT_EQ(environment.gpus.size(), 3U);
  EXPECT_EQ(environment.gpus[0].product, "NVIDIA H200");
}

TEST(ObserveEnvironment, SeesThisMachine) {
  EnvironmentRequest request;
  request.data = "/proc";
  const report::Environment environment = ObserveEnvironment(request);
  EXPECT_EQ(environment.data_file_system, "proc");
  EXPECT_THAT(environment.kernel, HasSubstr("Linux"));
  EXPECT_GE(environment.logical_cpus, environment.usable_cpus);
  EXPECT_GT(environment.usable_cpus, 0);
  EXPECT_GT(environment.memory_bytes.value_or(0), 0);
}

std::vector<std::string> WarningsOf(const std::string& build_type, const std::string& sanitizers) {
  BuildFacts facts;
  facts.build_type = build_type;
  facts.sanitizers = sanitizers;
  return BuildWarnings(facts);
}

TEST(BuildWarnings, SayThatADebugOrSanitizedBuildIsNoMeasurement) {
  EXPECT_THAT(WarningsOf("Release", ""), IsEmpty());
  EXPECT_THAT(WarningsOf("Debug", ""), ElementsAre("a Debug build: not a measurement"));
  EXPECT_THAT(WarningsOf("Release", "thread"),
              ElementsAre("built with sanitizers (thread): not a measurement"));
}

TEST(ObserveBuildFacts, KnowsTheBuild) {
  const BuildFacts facts = ObserveBuildFacts();
  EXPECT_FALSE(facts.version.empty());
  EXPECT_FALSE(facts.git_revision.empty());
  EXPECT_FALSE(facts.build_id.empty());
}

TEST(AddDisturbance, FillsRatiosAndWarnsAboveTheLimits) {
  Disturbance before, after;
  before.cpu = CpuTicks{100, 0, 1000};
  after.cpu = CpuTicks{100 + 600, 20, 2000};
  before.throttling = Throttling{10, 0};
  after.throttling = Throttling{110, 6};
  after.own_cpu_seconds = 4;  // 400 of the 600 busy ticks: 20 % are foreign
  report::Environment environment;
  AddDisturbance(before, after, 100, environment);
  EXPECT_DOUBLE_EQ(*environment.cpu_steal_ratio, 0.02);
  EXPECT_DOUBLE_EQ(*environment.cgroup_throttled_ratio, 0.06);
  EXPECT_THAT(environment.warnings,
              ElementsAre("the CPU quota throttled this many periods: 6 %",
                          "the hypervisor took CPU time away: 2 %",
                          "other processes kept the machine's CPUs busy: 20 %"));
}

TEST(AddDisturbance, IsSilentOnAQuietMachineAndLeavesTheUnknownAbsent) {
  Disturbance before, after;
  before.cpu = CpuTicks{100, 0, 1000};
  after.cpu = CpuTicks{600, 5, 2000};
  after.own_cpu_seconds = 5;
  report::Environment environment;
  AddDisturbance(before, after, 100, environment);
  EXPECT_DOUBLE_EQ(*environment.cpu_steal_ratio, 0.005);
  EXPECT_FALSE(environment.cgroup_throttled_ratio.has_value());
  EXPECT_THAT(environment.warnings, IsEmpty());
}

TEST(ComputeThreads, StayBelowTheQuotaAndWithinTheAffinity) {
  EXPECT_EQ(ComputeThreads(8, std::nullopt), 8);
  EXPECT_EQ(ComputeThreads(8, 3.9), 3);
  EXPECT_EQ(ComputeThreads(8, 0.5), 1);
  EXPECT_EQ(ComputeThreads(2, 16), 2);
}

TEST(ProcessStartTime, LiesInTheNearPast) {
  const base::WallTime start = ProcessStartTime(base::SystemClock());
  const base::WallTime now = base::SystemClock().WallNow();
  EXPECT_LE(start, now);
  EXPECT_GT(start, now - std::chrono::minutes(10));
}

}  // namespace
}  // namespace fairlap::measure

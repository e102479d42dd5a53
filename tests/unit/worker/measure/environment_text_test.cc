#include "worker/measure/environment_text.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlap::measure {
namespace {

TEST(ParseCpuModel, TakesTheFirstAndSaysUnknownWithoutOne) {
  EXPECT_EQ(ParseCpuModel("processor\t: 0\nmodel name\t: AMD EPYC 7B13\nmodel name\t: other\n"),
            "AMD EPYC 7B13");
  EXPECT_EQ(ParseCpuModel("processor : 0\nCPU part : 0xd40\n"), "unknown");
  EXPECT_EQ(ParseCpuModel(""), "unknown");
}

TEST(ParseOperatingSystem, TakesThePrettyName) {
  EXPECT_EQ(ParseOperatingSystem("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"),
            "Debian GNU/Linux 12");
}

TEST(ParseBytes, ReadsALineOfAProcessesStatus) {
  EXPECT_EQ(ParseBytes("VmHWM:\t  12 kB\nVmData:\t   256 kB\nRssAnon:\t 4 kB\n", "VmData"),
            256 * 1024);
  EXPECT_EQ(ParseBytes("VmDataX:\t 1 kB\n", "VmData"), std::nullopt);
}

TEST(ParseMemoryTotal, IsInBytes) {
  EXPECT_EQ(ParseMemoryTotal("MemTotal:       16384 kB\nMemFree: 1 kB\n"), 16384 * 1024);
  EXPECT_EQ(ParseMemoryTotal("MemFree: 1 kB\n"), std::nullopt);
}

TEST(ParseLoadAverage, IsOfOneMinute) {
  EXPECT_EQ(ParseLoadAverage("0.52 0.58 0.59 1/234 999\n"), 0.52);
}

TEST(ParseCpuTicks, KeepsIdleWaitingAndStolenTimeOutOfBusy) {
  const auto ticks = ParseCpuTicks("cpu  10 20 30 400 50 6 7 8 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
  ASSERT_TRUE(ticks.has_value());
  EXPECT_EQ(ticks->total, 531);
  EXPECT_EQ(ticks->busy, 73);
  EXPECT_EQ(ticks->steal, 8);
  EXPECT_FALSE(ParseCpuTicks("cpu0 1 1 1 1 1 1 1 1\n").has_value());
}

TEST(ParseReadBytes, IsNotWhatTheProcessAskedFor) {
  EXPECT_EQ(ParseReadBytes("rchar: 6976\nread_bytes: 4096\nwrite_bytes: 1\n"), 4096);
}

// As nfs_show_stats in fs/nfs/super.c writes it.
constexpr char kMountStats[] =
    "device /dev/vda mounted on / with fstype ext4\n"
    "device server:/old mounted on /data with fstype nfs4 statvers=1.1\n"
    "\tbytes:\t1 2 3 4 5 6 7 8\n"
    "device server:/export mounted on /data with fstype nfs4 statvers=1.1\n"
    "\topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255\n"
    "\tage:\t86400\n"
    "\tevents:\t10 20 30 40 50 60 70 80 90 100 110 120 130 140\n"
    "\tbytes:\t7000000 0 0 0 6900123 0 1700 0\n"
    "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
    "\t        READ: 7 7 0 1260 6900600 3 40 45 0\n"
    "device server:/other mounted on /data/my\\040photos with fstype nfs statvers=1.1\n"
    "\tbytes:\t8000 0 0 0 8192 0 2 0\n"
    "device tmpfs mounted on /dev/shm with fstype tmpfs\n";

TEST(ParseServerReadBytes, IsTheFifthOfTheTopmostMountsBytes) {
  EXPECT_EQ(ParseServerReadBytes(kMountStats, "/data"), 6'900'123);
}

TEST(ParseServerReadBytes, FindsAMountPointWithBlanks) {
  EXPECT_EQ(ParseServerReadBytes(kMountStats, "/data/my photos"), 8192);
}

TEST(ParseServerReadBytes, IsAbsentForOtherFileSystemsAndUnknownPlaces) {
  EXPECT_EQ(ParseServerReadBytes(kMountStats, "/"), std::nullopt);
  EXPECT_EQ(ParseServerReadBytes(kMountStats, "/dev/shm"), std::nullopt);
  EXPECT_EQ(ParseServerReadBytes(kMountStats, "/dat"), std::nullopt);
  EXPECT_EQ(ParseServerReadBytes("", "/data"), std::nullopt);
}

TEST(ParseStartTicks, SurvivesANameWithParenthesesAndBlanks) {
  EXPECT_EQ(ParseStartTicks("7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 5555 20"),
            5555);
  EXPECT_EQ(ParseStartTicks("7 (a) S 1 2"), std::nullopt);
}

constexpr char kMountInfo[] =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "31 27 0:29 / /data rw,noatime shared:1 - nfs4 server:/export rw,vers=4.2,rsize=1048576\n"
    "32 31 0:30 / /data/with\\040blank ro - tmpfs tmpfs rw\n"
    "33 27 0:31 / /database rw - xfs /dev/vdb rw\n"
    "garbage\n";

TEST(FindMount, TakesTheDeepestMountThatHoldsThePath) {
  const auto mounts = ParseMounts(kMountInfo);
  ASSERT_EQ(mounts.size(), 4U);
  const Mount* data = FindMount(mounts, "/data/train");
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->file_system, "nfs4");
  EXPECT_EQ(data->source, "server:/export");
  EXPECT_EQ(data->options, "rw,noatime,rw,vers=4.2,rsize=1048576");
  EXPECT_EQ(FindMount(mounts, "/data/with blank/x")->file_system, "tmpfs");
  EXPECT_EQ(FindMount(mounts, "/database")->file_system, "xfs");
  EXPECT_EQ(FindMount(mounts, "/datas")->file_system, "ext4");
  EXPECT_EQ(FindMount(mounts, "relative"), nullptr);
}

TEST(FindMount, TakesTheUpperOfTwoMountsOnOneFolder) {
  const auto mounts = ParseMounts(
      "1 0 0:1 / /d rw - ext4 /dev/a rw\n"
      "2 1 0:2 / /d rw - xfs /dev/b rw\n");
  EXPECT_EQ(FindMount(mounts, "/d")->file_system, "xfs");
}

TEST(ParseCgroupPaths, ReadsBothVersions) {
  const auto paths = ParseCgroupPaths("4:cpu,cpuacct:/kubepods/pod1\n2:memory:/m\n0::/v2:x\n");
  EXPECT_EQ(paths.at("cpu"), "/kubepods/pod1");
  EXPECT_EQ(paths.at("cpuacct"), "/kubepods/pod1");
  EXPECT_EQ(paths.at("memory"), "/m");
  EXPECT_EQ(paths.at(""), "/v2:x");
}

TEST(ParseCpuMax, IsInCpusAndAbsentWithoutALimit) {
  EXPECT_EQ(ParseCpuMax("150000 100000\n"), 1.5);
  EXPECT_EQ(ParseCpuMax("max 100000\n"), std::nullopt);
  EXPECT_EQ(ParseCpuMax(""), std::nullopt);
}

TEST(ParseLimit, KnowsHowEachVersionSaysNoLimit) {
  EXPECT_EQ(ParseLimit("1073741824\n"), 1073741824);
  EXPECT_EQ(ParseLimit("max\n"), std::nullopt);
  EXPECT_EQ(ParseLimit("9223372036854771712\n"), std::nullopt);
  EXPECT_EQ(ParseLimit("-1\n"), std::nullopt);
}

TEST(ParseThrottling, NeedsBothCounters) {
  const auto throttling = ParseThrottling("nr_periods 100\nnr_throttled 7\nthrottled_usec 9\n");
  ASSERT_TRUE(throttling.has_value());
  EXPECT_EQ(throttling->periods, 100);
  EXPECT_EQ(throttling->throttled, 7);
  EXPECT_FALSE(ParseThrottling("usage_usec 1\n").has_value());
}

TEST(ContainerFromCgroup, KnowsTheUsualNames) {
  EXPECT_EQ(ContainerFromCgroup("0::/kubepods.slice/cri-containerd-1.scope"), "kubernetes");
  EXPECT_EQ(ContainerFromCgroup("0::/system.slice/docker-1.scope"), "docker");
  EXPECT_EQ(ContainerFromCgroup("0::/user.slice"), "");
}

}  // namespace
}  // namespace fairlap::measure

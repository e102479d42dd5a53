#include "worker/measure/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlap::measure {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(ObserveGpus, FindsNoneWhereThereIsNoDriver) {
  EXPECT_THAT(ObserveGpus("libno-such-library.so.1"), IsEmpty());
  EXPECT_THAT(ObserveGpus("libm.so.6"), IsEmpty()) << "a library, but not this one";
}

TEST(ObserveGpus, TellsEveryFactThatTheDriverTells) {
  const auto gpus = ObserveGpus(FAIRLAP_FAKE_NVML);
  ASSERT_THAT(gpus, SizeIs(3));
  const report::GpuFacts& gpu = gpus[0];
  EXPECT_EQ(gpu.product, "NVIDIA H200");
  EXPECT_EQ(gpu.uuid, "GPU-1");
  EXPECT_EQ(gpu.driver, "570.86");
  EXPECT_EQ(gpu.mig_profile, "none");
  EXPECT_EQ(gpu.compute_mode, "exclusiveProcess");
  EXPECT_EQ(gpu.power_limit_watts, 700);
  EXPECT_EQ(gpu.memory_bytes, 150e9);
  EXPECT_EQ(gpu.sm_clock_megahertz, 345);
  EXPECT_EQ(gpu.max_sm_clock_megahertz, 1980);
  EXPECT_EQ(gpu.memory_clock_megahertz, std::nullopt);
  EXPECT_EQ(gpu.max_memory_clock_megahertz, 3201);
}

TEST(ObserveGpus, ShowsTheSlicesInTheirGpusPlace) {
  const auto gpus = ObserveGpus(FAIRLAP_FAKE_NVML);
  ASSERT_THAT(gpus, SizeIs(3));
  EXPECT_EQ(gpus[1].product, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(gpus[1].mig_profile, "1g.5gb");
  EXPECT_EQ(gpus[1].uuid, "MIG-1");
  EXPECT_EQ(gpus[1].memory_bytes, 5e9);
  EXPECT_EQ(gpus[1].power_limit_watts, 700);
  EXPECT_EQ(gpus[2].mig_profile, "2g.10gb");
}

TEST(MigProfileOf, IsWhatFollowsTheMark) {
  EXPECT_EQ(MigProfileOf("NVIDIA A100-SXM4-40GB MIG 1g.5gb"), "1g.5gb");
  EXPECT_EQ(MigProfileOf("NVIDIA H100 MIG 1g.10gb+me"), "1g.10gb+me");
  EXPECT_EQ(MigProfileOf("NVIDIA H200"), "");
}

}  // namespace
}  // namespace fairlap::measure

#include "lib/api/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fairlap::api {
namespace {

using ::testing::ElementsAre;

TEST(RepeatNames, PutsWarmUpRunsFirst) {
  MeasurementSpec measurement;
  measurement.repeats = 3;
  measurement.warmup_runs = 2;
  EXPECT_THAT(RepeatNames(measurement), ElementsAre("w1", "w2", "1", "2", "3"));
}

TEST(JobName, FitsALabelForTheLongestRunName) {
  const std::string run(kMaxRunNameLength, 'a');
  EXPECT_EQ(JobName(run, "w10", 5), run + "-w10-5");
  EXPECT_LE(JobName(run, "w10", 5).size(), 63U);
}

TEST(RepeatSeed, IsDistinctForEachRepeatAndExactInJson) {
  std::set<int64_t> seeds;
  for (int64_t seed : {int64_t{0}, int64_t{1}, int64_t{7}, kMaxSafeInteger}) {
    for (int64_t position = 0; position < 60; ++position) {
      const int64_t value = RepeatSeed(seed, position);
      EXPECT_GE(value, 0);
      EXPECT_LE(value, kMaxSafeInteger);
      seeds.insert(value);
    }
  }
  EXPECT_EQ(seeds.size(), 240U);
}

}  // namespace
}  // namespace fairlap::api

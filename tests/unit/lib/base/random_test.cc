#include "lib/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fairlap::base {
namespace {

TEST(Random, IsSplitMix64) {
  // The reference implementation's first values for seed 1234567 (prng.di.unimi.it/splitmix64.c).
  Random random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317U);
  EXPECT_EQ(random.Next(), 3203168211198807973U);
  EXPECT_EQ(random.Next(), 9817491932198370423U);
}

TEST(Random, DrawsEveryValueBelowABoundAboutEquallyOften) {
  Random random(1);
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[random.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 450);
}

TEST(Random, StaysWithinItsRanges) {
  Random random(2);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = random.Between(-3, 3);
    ASSERT_GE(value, -3);
    ASSERT_LE(value, 3);
    low |= value == -3;
    high |= value == 3;
    const double unit = random.Unit();
    ASSERT_GE(unit, 0.0);
    ASSERT_LT(unit, 1.0);
    ASSERT_EQ(random.Below(1), 0U);
  }
  EXPECT_TRUE(low && high);
}

TEST(Shuffle, PermutesAndReachesEveryOrder) {
  std::vector<int> counts(6);
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    std::vector<int> items = {0, 1, 2};
    Random random(MixSeeds(seed, 0));
    Shuffle(std::span(items), random);
    const std::vector<int> given = items;
    std::sort(items.begin(), items.end());
    ASSERT_EQ(items, (std::vector<int>{0, 1, 2}));
    ++counts[static_cast<size_t>(given[0] * 2 + (given[1] > given[2] ? 1 : 0))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(MixSeeds, TellsSeedsAndSaltsApart) {
  EXPECT_NE(MixSeeds(1, 2), MixSeeds(2, 1));
  EXPECT_NE(MixSeeds(0, 0), MixSeeds(0, 1));
  EXPECT_NE(MixSeeds(0, 0), MixSeeds(1, 0));
}

}  // namespace
}  // namespace fairlap::base

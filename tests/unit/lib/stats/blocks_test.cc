#include "lib/stats/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fairlap::stats {
namespace {

TEST(SpreadOfBlocks, ComesFromTheBlockMeansAndNotFromTheSteps) {
  // Ten blocks of two; inside each the steps differ, their means are 1 and 3 in turn.
  std::vector<double> values;
  for (int block = 0; block < 10; ++block) {
    const double mean = block % 2 == 0 ? 1 : 3;
    values.push_back(mean - 0.5);
    values.push_back(mean + 0.5);
  }
  const auto spread = SpreadOfBlocks(values);
  ASSERT_TRUE(spread.has_value());
  const double deviation = std::sqrt(10.0 / 9.0);
  EXPECT_DOUBLE_EQ(spread->mean, 2);
  EXPECT_DOUBLE_EQ(spread->standard_error, deviation / std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(spread->variation, deviation / 2);
}

TEST(SpreadOfBlocks, UsesEveryValueWhereTenDoesNotDivideTheirNumber) {
  std::vector<double> values(29, 1.0);
  values.back() = 4;  // in a last block of three values: its mean is 2
  EXPECT_DOUBLE_EQ(SpreadOfBlocks(values)->mean, 1.1);
}

TEST(SpreadOfBlocks, IsAbsentWithFewerThanTwoValuesABlock) {
  EXPECT_FALSE(SpreadOfBlocks(std::vector<double>(19, 1.0)).has_value());
  EXPECT_TRUE(SpreadOfBlocks(std::vector<double>(20, 1.0)).has_value());
}

}  // namespace
}  // namespace fairlap::stats

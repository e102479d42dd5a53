#include "lib/stats/quantiles.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlap::stats {
namespace {

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  // numpy.percentile([4, 1, 3, 2], [0, 25, 50, 90, 100]) = 1, 1.75, 2.5, 3.7, 4
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(*Quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(*Quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(*Quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(*Quantile(values, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(*Quantile(values, 1), 4);
}

TEST(Quantile, IsTheValueItselfForOneValueAndAbsentForNone) {
  EXPECT_EQ(Quantile(std::vector<double>{7}, 0.99), 7);
  EXPECT_FALSE(Quantile({}, 0.5).has_value());
}

TEST(ScaledMedianAbsoluteDeviation, IsNotMovedByAnOutlier) {
  // Deviations from the median 3: 2, 1, 0, 1, 997; their median is 1.
  EXPECT_DOUBLE_EQ(*ScaledMedianAbsoluteDeviation(std::vector<double>{1, 2, 3, 4, 1000}), 1.4826);
  EXPECT_FALSE(ScaledMedianAbsoluteDeviation({}).has_value());
}

}  // namespace
}  // namespace fairlap::stats

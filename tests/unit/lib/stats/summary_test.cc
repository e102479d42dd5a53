#include "lib/stats/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "summary_reference.h"

namespace fairlap::stats {
namespace {

using testing::Optional;

void ExpectClose(const std::optional<double>& actual, double expected) {
  ASSERT_TRUE(actual.has_value());
  EXPECT_NEAR(*actual, expected, 1e-12 * std::max(1.0, std::abs(expected)));
}

class AgainstSciPy : public testing::TestWithParam<Reference> {};

TEST_P(AgainstSciPy, GivesTheSameFigures) {
  const Reference& expected = GetParam();
  const Summary summary = Summarise(expected.values, 0, Better::kHigher);
  ExpectClose(summary.mean, expected.mean);
  ExpectClose(summary.median, expected.median);
  ExpectClose(summary.standard_deviation, expected.standard_deviation);
  ExpectClose(summary.confidence_low, expected.confidence_low);
  ExpectClose(summary.confidence_high, expected.confidence_high);
  EXPECT_EQ(summary.olympic_mean.has_value(), expected.values.size() >= 5);
  if (summary.olympic_mean) ExpectClose(summary.olympic_mean, expected.olympic_mean);
}

INSTANTIATE_TEST_SUITE_P(Summary, AgainstSciPy,
                         testing::Values(kTwo, kThree, kFive, kTen, kLargeOffset, kFifty));

TEST(Summarise, OfNothingHasCountsAlone) {
  const Summary summary = Summarise({}, 0, Better::kHigher);
  EXPECT_EQ(summary.n, 0);
  EXPECT_FALSE(summary.mean || summary.median || summary.minimum || summary.maximum ||
               summary.best || summary.standard_deviation || summary.confidence_low);
}

TEST(Summarise, OfOneValueHasNoSpread) {
  const Summary summary = Summarise(std::vector{341.5}, 0, Better::kHigher);
  EXPECT_THAT(summary.mean, Optional(341.5));
  EXPECT_THAT(summary.median, Optional(341.5));
  EXPECT_THAT(summary.minimum, Optional(341.5));
  EXPECT_THAT(summary.maximum, Optional(341.5));
  EXPECT_FALSE(summary.standard_deviation || summary.confidence_low || summary.confidence_high);
}

TEST(Summarise, OfEqualValuesHasNoDeviationAtAll) {
  const Summary summary = Summarise(std::vector{0.1, 0.1, 0.1}, 0, Better::kHigher);
  EXPECT_THAT(summary.standard_deviation, Optional(0.0));
  EXPECT_THAT(summary.confidence_low, Optional(0.1));
  EXPECT_THAT(summary.confidence_high, Optional(0.1));
}

TEST(Summarise, KeepsTheValuesInOrder) {
  EXPECT_THAT(Summarise(std::vector{3.0, 1.0, 2.0}, 0, Better::kHigher).values,
              testing::ElementsAre(3, 1, 2));
}

TEST(Summarise, TakesTheBestInTheGivenDirection) {
  const std::vector values = {3.0, 1.0, 2.0};
  EXPECT_THAT(Summarise(values, 0, Better::kHigher).best, Optional(3.0));
  EXPECT_THAT(Summarise(values, 0, Better::kLower).best, Optional(1.0));
}

TEST(Summarise, GivesNoMeanOverFailedRepeats) {
  const Summary summary = Summarise(std::vector{3.0, 1.0, 2.0, 4.0, 5.0}, 1, Better::kHigher);
  EXPECT_EQ(summary.n, 6);
  EXPECT_EQ(summary.succeeded, 5);
  EXPECT_FALSE(summary.mean || summary.standard_deviation || summary.confidence_low ||
               summary.confidence_high || summary.olympic_mean);
}

TEST(Summarise, TakesAFailedRepeatForTheWorstInTheMedian) {
  EXPECT_THAT(Summarise(std::vector{3.0, 1.0}, 1, Better::kHigher).median, Optional(1.0));
  EXPECT_THAT(Summarise(std::vector{3.0, 1.0}, 1, Better::kLower).median, Optional(3.0));
}

TEST(Summarise, HasNoMedianWhereAFailedRepeatIsIt) {
  EXPECT_FALSE(Summarise(std::vector{3.0}, 1, Better::kHigher).median);
  EXPECT_FALSE(Summarise(std::vector{3.0}, 2, Better::kLower).median);
}

TEST(Summarise, LeavesOutTheWorstEndOfTheRangeAfterAFailure) {
  const Summary rate = Summarise(std::vector{3.0, 1.0}, 1, Better::kHigher);
  EXPECT_FALSE(rate.minimum);
  EXPECT_THAT(rate.maximum, Optional(3.0));
  const Summary time = Summarise(std::vector{3.0, 1.0}, 1, Better::kLower);
  EXPECT_THAT(time.minimum, Optional(1.0));
  EXPECT_FALSE(time.maximum);
}

TEST(Summarise, GivesNoNumberThatIsNotFinite) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  const Summary summary = Summarise(std::vector{-kHuge, kHuge}, 0, Better::kHigher);
  EXPECT_FALSE(summary.standard_deviation || summary.confidence_low || summary.confidence_high);
}

}  // namespace
}  // namespace fairlap::stats

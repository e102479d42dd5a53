#include "lib/base/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fairlap::base {
namespace {

TEST(RoundToSixDigits, KeepsSixSignificantDigits) {
  EXPECT_EQ(RoundToSixDigits(123456.7), 123457.0);
  EXPECT_EQ(RoundToSixDigits(0.000123456789), 0.000123457);
  EXPECT_EQ(RoundToSixDigits(-1.5), -1.5);
  EXPECT_EQ(RoundToSixDigits(0.0), 0.0);
}

TEST(RoundToSixDigits, LeavesNonFiniteValuesAlone) {
  EXPECT_TRUE(std::isinf(RoundToSixDigits(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isnan(RoundToSixDigits(std::numeric_limits<double>::quiet_NaN())));
}

TEST(FormatNumber, WritesTheShortestText) {
  EXPECT_EQ(FormatNumber(341.5), "341.5");
  EXPECT_EQ(FormatNumber(0.0001), "0.0001");
  EXPECT_EQ(FormatNumber(1250000000.0), "1.25e+09");
}

}  // namespace
}  // namespace fairlap::base

#include "lib/stats/break_even.h"

#include <gtest/gtest.h>

#include <limits>

namespace fairlap::stats {
namespace {

TEST(BreakEvenEpochs, IsTheFirstEpochFromWhichCopyingFirstIsFasterInAll) {
  // 100 + 3 x 10 = 130 against 3 x 50 = 150; 100 + 2 x 10 = 120 against 2 x 50 = 100.
  EXPECT_EQ(BreakEvenEpochs(100, 10, 50), 3);
  EXPECT_EQ(BreakEvenEpochs(0.5, 1, 2), 1);
}

TEST(BreakEvenEpochs, IsOneMoreWhereTheTwoAreEven) {
  EXPECT_EQ(BreakEvenEpochs(100, 10, 60), 3);  // 120 against 120 at two epochs
  EXPECT_EQ(BreakEvenEpochs(0, 1, 2), 1);
}

TEST(BreakEvenEpochs, AgreesWithTryingEveryNumberOfEpochs) {
  for (int copy = 0; copy <= 40; ++copy) {
    for (int direct = 2; direct <= 9; ++direct) {
      int tried = 1;
      while (copy + tried * 1 >= tried * direct) ++tried;
      EXPECT_EQ(BreakEvenEpochs(copy, 1, direct), tried) << copy << " " << direct;
    }
  }
}

TEST(BreakEvenEpochs, DoesNotExistWhereScratchIsNoFaster) {
  EXPECT_EQ(BreakEvenEpochs(100, 50, 50), std::nullopt);
  EXPECT_EQ(BreakEvenEpochs(100, 60, 50), std::nullopt);
  EXPECT_EQ(BreakEvenEpochs(0, 50, 50), std::nullopt);
}

TEST(BreakEvenEpochs, DoesNotExistWhereItIsFurtherThanAnybodyCounts) {
  EXPECT_EQ(BreakEvenEpochs(1e9, 1, 1 + 1e-12), std::nullopt);
}

TEST(BreakEvenEpochs, RefusesWhatIsNoDuration) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(BreakEvenEpochs(-1, 1, 2), std::nullopt);
  EXPECT_EQ(BreakEvenEpochs(1, nan, 2), std::nullopt);
  EXPECT_EQ(BreakEvenEpochs(1, 1, infinity), std::nullopt);
}

}  // namespace
}  // namespace fairlap::stats

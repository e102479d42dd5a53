#include "worker/measure/stall_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace fairlap::measure {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Optional;

// Its ten blocks have means `mean` +- `deviation`, alternating.
std::vector<double> Steps(double mean, double deviation = 0, size_t count = 100) {
  std::vector<double> steps(count, mean);
  for (size_t i = 0; i < count; ++i) {
    steps[i] += (i * 10 / count) % 2 == 0 ? deviation : -deviation;
  }
  return steps;
}

StallPhases MakePhases() {
  return {.t0 = Steps(0.2),
          .t1 = Steps(0.25),
          .t2 = Steps(0.5),
          .t3 = Steps(0.3),
          .t1_again = Steps(0.25),
          .invalid = {}};
}

TEST(AnalyseStalls, SplitsAColdStepIntoSharesThatSumToOne) {
  const api::StallAnalysis found = AnalyseStalls(MakePhases());
  EXPECT_EQ(found.state, api::StallState::kMeasured);
  EXPECT_THAT(found.compute_share, Optional(DoubleNear(0.4, 1e-12)));
  EXPECT_THAT(found.copy_share, Optional(DoubleNear(0.1, 1e-12)));
  EXPECT_THAT(found.preparation_share, Optional(DoubleNear(0.1, 1e-12)));
  EXPECT_THAT(found.fetch_share, Optional(DoubleNear(0.4, 1e-12)));
  EXPECT_EQ(found.reason, std::nullopt);
}

TEST(AnalyseStalls, GivesEveryShareTwoStandardErrorsOfNoise) {
  StallPhases phases = MakePhases();
  phases.t0 = Steps(0.2, 0.01);
  phases.t2 = Steps(0.5, 0.02);
  const api::StallAnalysis found = AnalyseStalls(phases);
  // Ten values of +-d have the standard deviation d sqrt(10/9), and their mean the error d / 3.
  const double e0 = 0.01 / 3, e2 = 0.02 / 3;
  EXPECT_THAT(found.compute_noise, Optional(DoubleNear(2 * std::hypot(e0, 0.4 * e2) / 0.5, 1e-12)));
  EXPECT_THAT(found.copy_noise, Optional(DoubleNear(2 * std::hypot(e0, 0.1 * e2) / 0.5, 1e-12)));
  EXPECT_THAT(found.preparation_noise, Optional(DoubleNear(2 * 0.1 * e2 / 0.5, 1e-12)));
  EXPECT_THAT(found.fetch_noise, Optional(DoubleNear(2 * 0.6 * e2 / 0.5, 1e-12)));
}

TEST(AnalyseStalls, IsUnsteadyWhereTheSecondT1Differs) {
  StallPhases phases = MakePhases();
  phases.t1_again = Steps(0.25 * 1.03);
  const api::StallAnalysis found = AnalyseStalls(phases);
  EXPECT_EQ(found.state, api::StallState::kUnsteady);
  EXPECT_THAT(found.reason, Optional(HasSubstr("differs from the first by 3 %")));
  EXPECT_TRUE(found.compute_share);
}

TEST(AnalyseStalls, GivesNoSharesWhereAPhaseDoesNotShowWhatItIsMeantTo) {
  StallPhases phases = MakePhases();
  phases.invalid = "t2: the cache was not cold";
  const api::StallAnalysis found = AnalyseStalls(phases);
  EXPECT_EQ(found.state, api::StallState::kUnsteady);
  EXPECT_EQ(found.reason, "t2: the cache was not cold");
  EXPECT_TRUE(found.t2);
  EXPECT_FALSE(found.fetch_share);
}

TEST(AnalyseStalls, SaysHowManyStepsItRestsOnWhereTheyAreFew) {
  StallPhases phases = MakePhases();
  phases.t3 = Steps(0.3, 0, 40);
  EXPECT_EQ(AnalyseStalls(phases).state, api::StallState::kMeasured);
  EXPECT_EQ(AnalyseStalls(phases).reason, "40 steps a phase");
}

TEST(AnalyseStalls, FailsWithoutTwoStepsABlock) {
  StallPhases phases = MakePhases();
  phases.t2.resize(19);
  EXPECT_EQ(AnalyseStalls(phases).state, api::StallState::kFailed);
  EXPECT_THAT(AnalyseStalls(phases).reason, Optional(HasSubstr("only 19 steps")));
}

TEST(AnalyseStalls, SaysWhyAPhaseCouldNotBeRun) {
  const StallPhases phases{.t0 = Steps(0.2),
                           .t1 = Steps(0.25),
                           .t2 = {},
                           .t3 = {},
                           .t1_again = {},
                           .invalid = "cannot evict"};
  EXPECT_EQ(AnalyseStalls(phases).state, api::StallState::kFailed);
  EXPECT_EQ(AnalyseStalls(phases).reason, "cannot evict");
}

}  // namespace
}  // namespace fairlap::measure

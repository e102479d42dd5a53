#include "worker/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fairlap::train {
namespace {

constexpr TrainPlan kPlan = {.total_steps = 100, .steps_per_epoch = 10};

Schedule Make(const api::OptimizerSpec& spec) { return MakeSchedule(spec, kPlan).value(); }

api::OptimizerSpec Spec(api::ScheduleName name) {
  api::OptimizerSpec spec;
  spec.learning_rate = {"0.4"};
  spec.schedule.name = name;
  return spec;
}

TEST(LearningRate, IsConstantByDefault) {
  const Schedule schedule = Make(Spec(api::ScheduleName::kConstant));
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 0), 0.4);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 99), 0.4);
}

TEST(LearningRate, RisesLinearlyToTheFullRateAtTheLastWarmupStep) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kConstant);
  spec.schedule.warmup_steps = 4;
  const Schedule schedule = Make(spec);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 0), 0.1);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 2), 0.3);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 3), 0.4);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 4), 0.4);
}

TEST(LearningRate, FallsByGammaAtTheFirstStepOfEachMilestoneEpoch) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kStep);
  spec.schedule.milestones_epochs = {3, 6};
  spec.schedule.gamma = {"0.5"};
  const Schedule schedule = Make(spec);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 29), 0.4);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 30), 0.2);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 60), 0.1);
}

TEST(LearningRate, IgnoresMilestonesOfOtherSchedules) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kConstant);
  spec.schedule.milestones_epochs = {3};
  EXPECT_DOUBLE_EQ(LearningRate(Make(spec), 50), 0.4);
}

TEST(LearningRate, FollowsHalfACosineFromTheFullRateToTheEndRate) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kCosine);
  spec.schedule.warmup_steps = 20;
  spec.schedule.end_learning_rate = {"0.2"};
  const Schedule schedule = Make(spec);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 20), 0.4);
  EXPECT_NEAR(LearningRate(schedule, 60), 0.3, 1e-12);
  EXPECT_NEAR(LearningRate(schedule, 40), 0.3 + 0.1 * std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(LearningRate(schedule, 100), 0.2, 1e-12);
}

TEST(MakeSchedule, RefusesByNameWhatItDoesNotHave) {
  const auto schedule = MakeSchedule(Spec(api::ScheduleName::kOneCycle), kPlan);
  ASSERT_FALSE(schedule);
  EXPECT_EQ(schedule.error().kind, base::ErrorKind::kUnavailable);
  EXPECT_EQ(schedule.error().message, "the schedule oneCycle is not available in this version");
}

}  // namespace
}  // namespace fairlap::train

#include "worker/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fairlap::train {
namespace {

constexpr TrainPlan kPlan = {.total_steps = 100, .steps_per_epoch = 10};

Schedule Make(const api::OptimizerSpec& spec) { return MakeSchedule(spec, kPlan); }

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

TEST(LearningRate, FallsByAPowerOfTheStepsLeft) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kPolynomial);
  spec.schedule.power = {"2"};
  spec.schedule.end_learning_rate = {"0.1"};
  const Schedule schedule = Make(spec);
  EXPECT_DOUBLE_EQ(LearningRate(schedule, 0), 0.4);
  EXPECT_NEAR(LearningRate(schedule, 50), 0.1 + 0.3 * 0.25, 1e-12);
  EXPECT_NEAR(LearningRate(schedule, 100), 0.1, 1e-12);
}

// torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.4, total_steps=100,
// final_div_factor=16) of PyTorch 2.15 gives these (end = 0.4 / 25 / 16 = 0.001).
TEST(LearningRate, RisesAndFallsInOneCycleAsTorchDoes) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kOneCycle);
  spec.schedule.end_learning_rate = {"0.001"};
  const Schedule schedule = Make(spec);
  EXPECT_NEAR(LearningRate(schedule, 0), 0.016, 1e-9);
  EXPECT_NEAR(LearningRate(schedule, 10), 0.11806557938564, 1e-9);
  EXPECT_NEAR(LearningRate(schedule, 29), 0.4, 1e-9);
  EXPECT_NEAR(LearningRate(schedule, 60), 0.23612210051232804, 1e-9);
  EXPECT_NEAR(LearningRate(schedule, 99), 0.001, 1e-9);
}

TEST(LearningRate, WarmsUpToTheFirstRateOfACycle) {
  api::OptimizerSpec spec = Spec(api::ScheduleName::kOneCycle);
  spec.schedule.warmup_steps = 10;
  const Schedule schedule = Make(spec);
  EXPECT_NEAR(LearningRate(schedule, 4), 0.016 / 2, 1e-12);
  EXPECT_NEAR(LearningRate(schedule, 9), 0.016, 1e-12);
  EXPECT_NEAR(LearningRate(schedule, 10), 0.016, 1e-12);
}

TEST(LearningRate, OfAnyScheduleIsFiniteForEveryLength) {
  for (const api::ScheduleName name :
       {api::ScheduleName::kConstant, api::ScheduleName::kStep, api::ScheduleName::kCosine,
        api::ScheduleName::kOneCycle, api::ScheduleName::kPolynomial}) {
    for (int64_t steps = 1; steps <= 12; ++steps) {
      const Schedule schedule =
          MakeSchedule(Spec(name), {.total_steps = steps, .steps_per_epoch = 1});
      for (int64_t step = 0; step <= steps; ++step) {
        EXPECT_TRUE(std::isfinite(LearningRate(schedule, step))) << steps << " " << step;
        EXPECT_GE(LearningRate(schedule, step), 0);
        EXPECT_LE(LearningRate(schedule, step), 0.4);
      }
    }
  }
}

}  // namespace
}  // namespace fairlap::train

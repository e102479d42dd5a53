#include "worker/train/stop_rule.h"

#include <gtest/gtest.h>

namespace fairlap::train {
namespace {

api::StopSpec Steps(int64_t steps) { return {.steps = steps, .epochs = {}, .accuracy = {}}; }
api::StopSpec Epochs(int64_t epochs) { return {.steps = {}, .epochs = epochs, .accuracy = {}}; }
api::StopSpec Accuracy(api::AccuracyMetric metric, const char* target) {
  return {.steps = {},
          .epochs = {},
          .accuracy = api::AccuracyStop{
              .metric = metric, .target = {target}, .every_epochs = 2, .max_epochs = 5}};
}

TEST(MakePlan, CountsTheLastPartialBatchOfEveryEpoch) {
  EXPECT_EQ(MakePlan(Epochs(3), 100, 32).steps_per_epoch, 4);
  EXPECT_EQ(MakePlan(Epochs(3), 100, 32).total_steps, 12);
  EXPECT_EQ(MakePlan(Steps(7), 100, 32).total_steps, 7);
  EXPECT_EQ(MakePlan(Accuracy(api::AccuracyMetric::kTop1, "0.9"), 64, 32).total_steps, 10);
}

TEST(IsFinished, StopsAtTheStepEvenInsideAnEpoch) {
  EXPECT_FALSE(IsFinished(Steps(7), {.steps = 6, .samples = 0, .epochs = 9}));
  EXPECT_TRUE(IsFinished(Steps(7), {.steps = 7, .samples = 0, .epochs = 0}));
}

TEST(IsFinished, StopsAfterTheLastEpoch) {
  EXPECT_FALSE(IsFinished(Epochs(2), {.steps = 99, .samples = 0, .epochs = 1}));
  EXPECT_TRUE(IsFinished(Epochs(2), {.steps = 100, .samples = 0, .epochs = 2}));
}

TEST(IsFinished, StopsAtTheTargetOrAfterTheMostEpochs) {
  const api::StopSpec stop = Accuracy(api::AccuracyMetric::kTop1, "0.9");
  EXPECT_FALSE(IsFinished(stop, {.steps = 0, .samples = 0, .epochs = 4}));
  EXPECT_TRUE(IsFinished(stop, {.steps = 0, .samples = 0, .epochs = 4, .target_reached = true}));
  EXPECT_TRUE(IsFinished(stop, {.steps = 0, .samples = 0, .epochs = 5}));
}

TEST(EvaluatesAfter, FollowsTheCadenceAndTheLastEpoch) {
  const api::StopSpec stop = Accuracy(api::AccuracyMetric::kTop1, "0.9");
  EXPECT_FALSE(EvaluatesAfter(stop, 1));
  EXPECT_TRUE(EvaluatesAfter(stop, 2));
  EXPECT_TRUE(EvaluatesAfter(stop, 5));
}

TEST(EvaluatesAfter, IsOnceWithEpochsAndNeverWithSteps) {
  EXPECT_FALSE(EvaluatesAfter(Epochs(3), 2));
  EXPECT_TRUE(EvaluatesAfter(Epochs(3), 3));
  EXPECT_FALSE(EvaluatesAfter(Steps(3), 3));
}

TEST(ReachesTarget, ComparesAccuraciesFromBelowAndALossFromAbove) {
  EvaluationRecord evaluation;
  evaluation.top1 = 0.9;
  evaluation.loss = 0.5;
  using Metric = api::AccuracyMetric;
  const auto reaches = [&](Metric metric, const char* target) {
    return ReachesTarget(*Accuracy(metric, target).accuracy, evaluation).value();
  };
  EXPECT_TRUE(reaches(Metric::kTop1, "0.9"));
  EXPECT_FALSE(reaches(Metric::kTop1, "0.91"));
  EXPECT_TRUE(reaches(Metric::kLoss, "0.5"));
  EXPECT_FALSE(reaches(Metric::kLoss, "0.49"));
}

TEST(ReachesTarget, RefusesAMetricThatIsNotMeasured) {
  const auto reached =
      ReachesTarget(*Accuracy(api::AccuracyMetric::kPsnr, "30").accuracy, EvaluationRecord{});
  ASSERT_FALSE(reached);
  EXPECT_EQ(reached.error().kind, base::ErrorKind::kInvalidInput);
}

TEST(SamplesAsAsked, CountsWholeEpochsAndTheBegunOne) {
  const Progress progress = {.steps = 6, .samples = 164, .epochs = 1};  // 100 + 2 x 32
  EXPECT_TRUE(SamplesAsAsked(Steps(6), progress, 100, 32, 0));
  EXPECT_FALSE(SamplesAsAsked(Steps(7), progress, 100, 32, 0));
  EXPECT_FALSE(SamplesAsAsked(Steps(6), {.steps = 6, .samples = 163, .epochs = 1}, 100, 32, 0));
  EXPECT_TRUE(SamplesAsAsked(Epochs(2), {.steps = 8, .samples = 200, .epochs = 2}, 100, 32, 0));
}

TEST(SamplesAsAsked, AllowsForEachBadFileOnceAnEpoch) {
  EXPECT_TRUE(SamplesAsAsked(Epochs(2), {.steps = 8, .samples = 198, .epochs = 2}, 100, 32, 1));
  EXPECT_FALSE(SamplesAsAsked(Epochs(2), {.steps = 8, .samples = 197, .epochs = 2}, 100, 32, 1));
}

}  // namespace
}  // namespace fairlap::train

#include "worker/measure/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace fairlap::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Step {
  double wait = 0, copy = 0, forward = 0, backward = 0, update = 0, other = 0;
  int64_t epoch = 0;
  bool after_pause = false;
  int64_t ready = 4;
  double loss = 1;
};

constexpr int64_t kSamplesPerStep = 8;

void Append(const Step& step, StepLog& log) {
  report::StepSeries& series = log.series;
  series.wall_seconds.push_back(step.wait + step.copy + step.forward + step.backward + step.update +
                                step.other);
  series.wait_seconds.push_back(step.wait);
  series.copy_seconds.push_back(step.copy);
  series.forward_seconds.push_back(step.forward);
  series.backward_seconds.push_back(step.backward);
  series.update_seconds.push_back(step.update);
  series.compute_seconds.push_back(0);
  series.loss.push_back(step.loss);
  series.samples.push_back(kSamplesPerStep);
  log.epochs.push_back(step.epoch);
  log.after_pause.push_back(step.after_pause);
  log.ready_batches.push_back(step.ready);
  const InputSeconds before = log.input.empty() ? InputSeconds{} : log.input.back();
  log.input.push_back({before.read + 0.25, before.decode + 0.5, before.transform + 0.125});
  log.all_reduce_seconds.push_back(0);
}

StepLog Repeat(const Step& step, int count) {
  StepLog log;
  for (int i = 0; i < count; ++i) Append(step, log);
  return log;
}

// No warm-up and a queue of one batch: the first 4 steps are discarded.
constexpr WindowRule kShortRule{0, 1};

TEST(SelectWindow, StartsAfterTheWarmUpAndTheStepsThatDrainTheQueue) {
  const Window window = SelectWindow(Repeat({}, 12), {3, 2});  // 3 + 2 x (2 + 1)
  EXPECT_EQ(window.begin, 9);
  EXPECT_THAT(window.steps, ElementsAre(9, 10, 11));
  EXPECT_THAT(window.discarded, IsEmpty());
}

TEST(SelectWindow, DiscardsTheStepsAfterEveryPause) {
  StepLog log = Repeat({}, 14);
  log.after_pause[0] = true;
  log.after_pause[6] = true;
  const Window window = SelectWindow(log, kShortRule);
  EXPECT_EQ(window.begin, 4);
  EXPECT_THAT(window.steps, ElementsAre(4, 5, 10, 11, 12, 13));
  EXPECT_THAT(window.discarded, ElementsAre(6, 7, 8, 9));
}

TEST(SelectWindow, CountsTheDiscardAgainWhereAPauseEndsTheWarmUpLate) {
  StepLog log = Repeat({}, 10);
  log.after_pause[3] = true;
  EXPECT_EQ(SelectWindow(log, kShortRule).begin, 7);
}

TEST(MakeFigures, HasNoRateWithoutAWindow) {
  const StepLog log = Repeat({.forward = 1}, 4);
  const Window window = SelectWindow(log, kShortRule);
  const api::RepeatFigures figures = MakeFigures(log, window);
  EXPECT_EQ(window.begin, 4);
  EXPECT_EQ(figures.window_state, api::WindowState::kEmpty);
  EXPECT_FALSE(figures.samples_per_second.has_value());
  EXPECT_FALSE(figures.data_stall_ratio.has_value());
  EXPECT_FALSE(figures.step_seconds_p50.has_value());
  EXPECT_EQ(figures.steps, 4);
  EXPECT_EQ(figures.samples, 32);
}

TEST(MakeFigures, DividesSamplesByTheWallTimeOfTheWindow) {
  StepLog log = Repeat({.forward = 100}, 4);  // discarded, however slow
  for (int i = 0; i < 10; ++i)
    Append({.wait = 0.5, .forward = 1, .backward = 2, .update = 0.5}, log);
  const api::RepeatFigures figures = MakeFigures(log, SelectWindow(log, kShortRule));
  EXPECT_EQ(figures.window_state, api::WindowState::kOk);
  EXPECT_EQ(figures.window_steps, 10);
  EXPECT_EQ(figures.window_samples, 80);
  EXPECT_DOUBLE_EQ(*figures.window_seconds, 40);
  EXPECT_DOUBLE_EQ(*figures.samples_per_second, 2);
  EXPECT_DOUBLE_EQ(*figures.data_stall_ratio, 0.125);
  EXPECT_DOUBLE_EQ(*figures.input_ready_ratio, 0.875);
}

TEST(MakeFigures, CountsTheCopyAsAStallOnAGpuAlone) {
  StepLog log = Repeat({.wait = 0.5, .copy = 0.25, .forward = 1.25}, 14);
  const Window window = SelectWindow(log, kShortRule);
  EXPECT_DOUBLE_EQ(*MakeFigures(log, window).data_stall_ratio, 0.25);
  log.on_gpu = true;
  EXPECT_DOUBLE_EQ(*MakeFigures(log, window).data_stall_ratio, 0.375);
  EXPECT_DOUBLE_EQ(*MakeFigures(log, window).input_ready_ratio, 0.625);
}

TEST(MakeFigures, AveragesTheQueueDepthOverTheWindow) {
  StepLog log = Repeat({.forward = 1, .ready = 9}, 4);
  Append({.forward = 1, .ready = 1}, log);
  Append({.forward = 1, .ready = 2}, log);
  EXPECT_DOUBLE_EQ(*MakeFigures(log, SelectWindow(log, kShortRule)).queue_depth, 1.5);
}

TEST(MakeFigures, DescribesTheStepTimes) {
  StepLog log = Repeat({}, 4);
  for (int i = 1; i <= 101; ++i) Append({.forward = static_cast<double>(i)}, log);
  const api::RepeatFigures figures = MakeFigures(log, SelectWindow(log, kShortRule));
  EXPECT_DOUBLE_EQ(*figures.step_seconds_p50, 51);
  EXPECT_DOUBLE_EQ(*figures.step_seconds_p95, 96);
  EXPECT_DOUBLE_EQ(*figures.step_seconds_p99, 100);
  EXPECT_DOUBLE_EQ(*figures.step_seconds_jitter, 1.4826 * 25);
  EXPECT_GT(*figures.step_seconds_block_error, 0);
  EXPECT_GT(*figures.step_seconds_block_variation, 0.5);
}

struct FillCase {
  int steps;
  int64_t ready_first, ready_last;
  api::WindowState state;
};

class QueueFill : public ::testing::TestWithParam<FillCase> {};

TEST_P(QueueFill, MakesTheWindowShortIfItChangedByMoreThanHalfAPercentOfTheSteps) {
  StepLog log = Repeat({.forward = 1}, 4 + GetParam().steps);
  log.ready_batches[4] = GetParam().ready_first;
  log.ready_batches.back() = GetParam().ready_last;
  EXPECT_EQ(MakeFigures(log, SelectWindow(log, kShortRule)).window_state, GetParam().state);
}

INSTANTIATE_TEST_SUITE_P(Figures, QueueFill,
                         ::testing::Values(FillCase{200, 4, 3, api::WindowState::kOk},
                                           FillCase{199, 4, 3, api::WindowState::kShort},
                                           FillCase{199, 3, 4, api::WindowState::kShort},
                                           FillCase{10, 0, 0, api::WindowState::kOk},
                                           FillCase{400, 4, 1, api::WindowState::kShort}));

TEST(MakeFigures, AddsUpTheQueueFillOverTheStretchesBetweenPauses) {
  StepLog log = Repeat({.forward = 1}, 408);  // window: [4, 200) and [204, 408)
  log.after_pause[200] = true;
  log.ready_batches[199] = 3;  // one free batch before the pause
  log.ready_batches[204] = 5;  // and two after it: 3 of 400 steps
  log.ready_batches[407] = 3;
  EXPECT_EQ(MakeFigures(log, SelectWindow(log, kShortRule)).window_state, api::WindowState::kShort);
}

TEST(MakeFigures, SaysWhetherTheWindowCrossesEpochs) {
  StepLog log = Repeat({.forward = 1}, 20);
  log.epochs[3] = -1;  // before the window
  EXPECT_FALSE(MakeFigures(log, SelectWindow(log, kShortRule)).crosses_epochs);
  log.epochs[19] = 1;
  EXPECT_TRUE(MakeFigures(log, SelectWindow(log, kShortRule)).crosses_epochs);
}

TEST(PartitionWall, SumsToTheWallTimeWhateverTheStepsWere) {
  StepLog log;
  for (int i = 1; i <= 300; ++i) {
    const double x = 1.0 / i;
    Append({.wait = x * x,
            .copy = x / 3,
            .forward = x / 7,
            .backward = x / 11,
            .update = x / 13,
            .other = x / 1000,
            .after_pause = i % 50 == 0},
           log);
  }
  const report::WallPartition partition = PartitionWall(log.series, SelectWindow(log, kShortRule));
  EXPECT_GT(partition.other_seconds, 0);
  EXPECT_DOUBLE_EQ(partition.wait_seconds + partition.exposed_copy_seconds +
                       partition.compute_seconds + partition.other_seconds,
                   partition.wall_seconds);
}

TEST(WindowStageSeconds, CountsInputThreadsOnlyInsideTheWindow) {
  StepLog log = Repeat({.wait = 1, .forward = 2}, 12);
  log.after_pause[6] = true;  // the window is 4, 5, 10 and 11
  const api::StageSeconds stages = WindowStageSeconds(log, SelectWindow(log, kShortRule));
  EXPECT_DOUBLE_EQ(*stages.read, 1);
  EXPECT_DOUBLE_EQ(*stages.decode, 2);
  EXPECT_DOUBLE_EQ(*stages.transform, 0.5);
  EXPECT_DOUBLE_EQ(*stages.wait, 4);
  EXPECT_DOUBLE_EQ(*stages.forward, 8);
}

TEST(LossFell, ComparesTheFirstAndTheLastTenth) {
  EXPECT_EQ(LossFell({1}), std::nullopt);
  EXPECT_EQ(LossFell({2, 1}), true);
  EXPECT_EQ(LossFell({1, 1}), false);
  std::vector<double> noisy(20, 1.0);
  noisy[0] = 3;
  noisy[1] = 0.5;
  noisy[18] = 1.5;
  EXPECT_EQ(LossFell(noisy), true);  // 3.5 -> 2.5, although the last step is above the second
}

}  // namespace
}  // namespace fairlap::measure

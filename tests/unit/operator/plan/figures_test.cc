// Progress and summary of a run, from the states of its repeats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "operator/plan/progress.h"
#include "operator/plan/repeats.h"
#include "operator/plan/summary.h"

namespace fairlap::plan {
namespace {

using api::Outcome;
using testing::Contains;
using testing::ElementsAre;

const base::WallTime kNow = base::ParseTime("2026-03-01T12:00:00Z").value();

// One warm-up run and three repeats.
api::RunStatus FourRepeats() {
  api::MeasurementSpec measurement;
  measurement.warmup_runs = 1;
  measurement.repeats = 3;
  api::RunStatus status;
  ListRepeats(measurement, 7, status);
  return status;
}

api::RepeatFigures& Succeed(api::RepeatStatus& repeat, double rate) {
  api::AttemptStatus& attempt = AddAttempt("demo", repeat);
  attempt.outcome = repeat.outcome = Outcome::kSucceeded;
  attempt.marks.container_started = "2026-03-01T11:00:00Z";
  attempt.marks.finished = "2026-03-01T11:01:40Z";
  repeat.figures.emplace().samples_per_second = rate;
  repeat.figures->window_state = api::WindowState::kOk;
  return *repeat.figures;
}

api::Progress Worker(double percent, double eta_seconds) {
  api::Progress worker;
  worker.phase = "training";
  worker.percent = percent;
  worker.eta_seconds = eta_seconds;
  return worker;
}

TEST(MakeProgress, ShowsAWarmUpRunByItsName) {
  api::RunStatus status = FourRepeats();
  AddAttempt("demo", status.repeats[0]);
  const auto progress = MakeProgress(status, 0, Worker(50, 30), kNow);
  EXPECT_EQ(progress.text, "w1 12%");  // an eighth of the whole run
  EXPECT_DOUBLE_EQ(progress.percent.value(), 12.5);
  EXPECT_DOUBLE_EQ(progress.eta_seconds.value(), 30 + 3 * 60);  // at its own pace
}

TEST(MakeProgress, EstimatesTheRestFromTheRepeatsThatFinished) {
  api::RunStatus status = FourRepeats();
  Succeed(status.repeats[0], 100);
  Succeed(status.repeats[1], 100);
  AddAttempt("demo", status.repeats[2]);
  const auto progress = MakeProgress(status, 2, Worker(64, 36), kNow);
  EXPECT_EQ(progress.text, "2/3 66%");
  EXPECT_DOUBLE_EQ(progress.eta_seconds.value(), 36 + 100);
}

TEST(MakeProgress, MovesItsTimeOnlyIfItSaysSomethingNew) {
  api::RunStatus status = FourRepeats();
  AddAttempt("demo", status.repeats[0]);
  status.progress = MakeProgress(status, 0, Worker(50, 30), kNow);
  const auto later = kNow + std::chrono::seconds(10);
  EXPECT_EQ(MakeProgress(status, 0, Worker(50, 30), later).updated_time,
            status.progress->updated_time);
  EXPECT_NE(MakeProgress(status, 0, Worker(60, 24), later).updated_time,
            status.progress->updated_time);
}

TEST(MakeProgress, DoesNotFallBackWhenAWorkerFallsSilent) {
  api::RunStatus status = FourRepeats();
  AddAttempt("demo", status.repeats[0]).marks.container_started = "2026-03-01T11:00:00Z";
  status.progress = MakeProgress(status, 0, Worker(80, 5), kNow);
  EXPECT_EQ(MakeProgress(status, 0, std::nullopt, kNow).text, "w1 20%");
  status.repeats[0].outcome = Outcome::kRunning;
  AddAttempt("demo", status.repeats[0]);  // and begins anew
  EXPECT_EQ(MakeProgress(status, 0, std::nullopt, kNow).text, "w1 0%");
}

TEST(MakeProgress, KeepsAWorkersWildClaimWithinBounds) {
  api::RunStatus status = FourRepeats();
  AddAttempt("demo", status.repeats[0]);
  EXPECT_EQ(MakeProgress(status, 0, Worker(1e300, 5), kNow).text, "w1 25%");
  EXPECT_EQ(MakeProgress(status, 0, Worker(-4, 5), kNow).text, "w1 0%");
}

TEST(MakeSummary, CountsNoWarmUpRun) {
  api::RunStatus status = FourRepeats();
  Succeed(status.repeats[0], 1);
  EXPECT_FALSE(MakeSummary({}, status).has_value());
  Succeed(status.repeats[1], 100);
  Succeed(status.repeats[2], 110);
  const auto summary = MakeSummary({}, status).value();
  EXPECT_THAT(summary.samples_per_second->values, ElementsAre(100, 110));
  EXPECT_FALSE(summary.top1.has_value());
  EXPECT_TRUE(summary.flags.empty());
}

TEST(MakeSummary, CountsAFailedRepeatAsInfinitelyBad) {
  api::RunStatus status = FourRepeats();
  Succeed(status.repeats[1], 100).top1 = 0.9;
  Succeed(status.repeats[2], 110).top1 = 0.8;
  status.repeats[3].outcome = Outcome::kFailed;
  const auto summary = MakeSummary({}, status).value();
  EXPECT_EQ(summary.samples_per_second->n, 3);
  EXPECT_EQ(summary.samples_per_second->succeeded, 2);
  EXPECT_FALSE(summary.samples_per_second->mean.has_value());
  EXPECT_EQ(summary.samples_per_second->median, 100);
  EXPECT_EQ(summary.top1->n, 3);
}

TEST(MakeSummary, TakesTheHighestPsnrForTheBest) {
  api::RunStatus status = FourRepeats();
  Succeed(status.repeats[1], 100).psnr_decibels = 31.5;
  Succeed(status.repeats[2], 100).psnr_decibels = 33.5;
  const auto summary = MakeSummary({}, status).value();
  EXPECT_EQ(summary.psnr_decibels->n, 2);
  EXPECT_EQ(summary.psnr_decibels->mean, 32.5);
  EXPECT_EQ(summary.psnr_decibels->best, 33.5);
}

TEST(MakeSummary, SaysWhatStandsBesideTheFigures) {
  api::RunStatus status = FourRepeats();
  Succeed(status.repeats[1], 100).window_state = api::WindowState::kShort;
  Succeed(status.repeats[2], 100).step_seconds_block_variation = 0.072;
  status.repeats[2].figures->cache_state_reason = "on fuse nobody tells";
  status.repeats[3].outcome = Outcome::kInterrupted;
  api::ComputeSpec priced;
  priced.price_per_hour = api::Decimal{"3"};
  const auto flags = MakeSummary(priced, status)->flags;
  EXPECT_THAT(flags, Contains("short window: repeat 1"));
  EXPECT_THAT(flags, Contains("unsteady: 10-block coefficient of variation above 5 %: "
                              "repeat 2 (7.2 %)"));
  EXPECT_THAT(flags, Contains("interrupted: repeat 3"));
  EXPECT_THAT(flags, Contains("state of the page cache unverified: repeat 2"));
  EXPECT_THAT(flags, Contains(testing::StartsWith("cost: of whole nodes")));
}

}  // namespace
}  // namespace fairlap::plan

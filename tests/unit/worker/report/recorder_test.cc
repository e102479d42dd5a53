#include "worker/report/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <thread>

#include "lib/report/documents.h"
#include "worker/report/report_writer.h"

namespace fairlap::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FakeClock final : public base::Clock {
 public:
  base::SteadyTime Now() const override { return base::SteadyTime(now); }
  base::WallTime WallNow() const override { return base::WallTime(now); }
  std::chrono::nanoseconds now = std::chrono::seconds(1'000'000'000);
};

api::RunConfig MakeConfig() {
  api::RunConfig config;
  config.identity.run = "demo";
  config.identity.job = "demo-1-1";
  config.identity.repeat = "1";
  config.seed = 7;
  config.device = api::Device::kCpu;
  config.software.input.prefetch_batches = 1;  // 4 steps are discarded
  config.problem.warmup_steps = 0;
  config.problem.stop.steps = 10;
  return config;
}

train::StepRecord MakeStep(int64_t step, double loss = 1) {
  train::StepRecord record;
  record.step = step;
  record.samples = 8;
  record.wall_seconds = 2;
  record.wait_seconds = 0.5;
  record.forward_seconds = 0.75;
  record.backward_seconds = 0.5;
  record.update_seconds = 0.25;
  record.loss = loss;
  return record;
}

class RecorderTest : public ::testing::Test {
 protected:
  explicit RecorderTest(api::RunConfig config = MakeConfig())
      : metrics_(config),
        recorder_(
            config, clock_, clock_.WallNow(), [this] { return fetched_; }, metrics_) {}

  void Train(int steps) {
    for (int i = 0; i < steps; ++i) recorder_.OnStep(MakeStep(i, 10.0 - i));
  }
  // The value of a series in the exposition, as text; "" if it is not there.
  std::string Metric(const std::string& series) const {
    std::istringstream lines(metrics_.Text());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(series + " ")) return line.substr(series.size() + 1);
    }
    return "";
  }

  FakeClock clock_;
  std::optional<int64_t> fetched_ = 1000;
  LiveMetrics metrics_;
  Recorder recorder_;
};

constexpr char kStageIn[] = "fairlap_stage_seconds_total{stage=\"stage_in\"}";
constexpr char kSamples[] = "fairlap_samples_total{phase=\"train\"}";

TEST_F(RecorderTest, HasAReportBeforeAnythingHappened) {
  const RankReport report = recorder_.Snapshot({api::Outcome::kInterrupted, "Interrupted", "why"});
  EXPECT_EQ(report.summary.outcome, api::Outcome::kInterrupted);
  EXPECT_EQ(report.summary.reason, "Interrupted");
  EXPECT_EQ(report.summary.seed, 7);
  EXPECT_EQ(report.summary.figures.steps, 0);
  EXPECT_EQ(report.summary.marks.finished, "2001-09-09T01:46:40.000000Z");
  EXPECT_FALSE(report.summary.figures.stage_seconds.wait.has_value());
  EXPECT_FALSE(report.checks.loss_finite.has_value());
}

TEST_F(RecorderTest, CountsTheSameInTheReportAndInTheMetrics) {
  recorder_.OnPhase(train::Phase::kTraining);
  data::PipelineTotals totals;
  totals.read_seconds = 1.5;
  totals.decode_seconds = 2.5;
  totals.transform_seconds = 0.5;
  totals.bytes_requested = 12345;
  recorder_.OnInput(totals);
  Train(10);
  fetched_ = 5096;
  recorder_.OnPhase(train::Phase::kFinishing);
  const RankReport report = recorder_.Snapshot({api::Outcome::kSucceeded, "", ""});
  const api::RepeatFigures& figures = report.summary.figures;
  EXPECT_EQ(figures.samples, 80);
  EXPECT_EQ(Metric(kSamples), "80");
  EXPECT_EQ(Metric("fairlap_steps_total{phase=\"train\"}"), "10");
  EXPECT_EQ(figures.stage_seconds.wait, 5);
  EXPECT_EQ(Metric("fairlap_stage_seconds_total{stage=\"wait\"}"), "5");
  EXPECT_EQ(figures.stage_seconds.decode, 2.5);
  EXPECT_EQ(Metric("fairlap_stage_seconds_total{stage=\"decode\"}"), "2.5");
  EXPECT_EQ(figures.read_bytes_requested, 12345);
  EXPECT_EQ(Metric("fairlap_read_bytes_total{source=\"requested\"}"), "12345");
  EXPECT_EQ(figures.read_bytes_fetched, 4096);
  EXPECT_EQ(Metric("fairlap_read_bytes_total{source=\"fetched\"}"), "4096");
  EXPECT_EQ(figures.data_stall_ratio, 0.25);
  EXPECT_EQ(Metric("fairlap_data_stall_ratio"), "0.25");
  EXPECT_EQ(Metric("fairlap_input_ready_ratio"), "0.75");
  EXPECT_EQ(Metric("fairlap_step_duration_seconds_count"), "10");
  EXPECT_EQ(Metric("fairlap_loss"), "1");
  EXPECT_EQ(report.steps.window_begin, 4);
  EXPECT_EQ(report.window.wall_seconds, 12);
  EXPECT_EQ(report.checks.loss_fell, true);
}

// 40 steps of 2 s, of which half a second is waiting; 4 input threads do 7 s of work meanwhile.
TEST_F(RecorderTest, NamesTheBottleneckOfTheWindowAndOfTheNewestSteps) {
  data::PipelineTotals totals;
  for (int i = 0; i < 40; ++i) {
    totals.read_seconds += 1.75;
    totals.decode_seconds += 4.375;
    totals.transform_seconds += 0.875;
    recorder_.OnInput(totals);
    recorder_.OnStep(MakeStep(i));
  }
  constexpr char kWhy[] =
      "input stall 25 %, exposed copy 0 %, input threads 87.5 % busy (read 25 %, decode 62.5 %, "
      "transform 12.5 %)";
  const api::RepeatFigures figures = recorder_.Snapshot({}).summary.figures;
  EXPECT_EQ(figures.bottleneck, api::Bottleneck::kDecode);
  EXPECT_EQ(figures.bottleneck_reason, kWhy);
  EXPECT_DOUBLE_EQ(*figures.input_stall_share, 0.25);
  EXPECT_DOUBLE_EQ(*figures.exposed_copy_share, 0);
  EXPECT_NEAR(*figures.input_threads_busy_ratio, 0.875, 1e-9);
  EXPECT_EQ(recorder_.Progress().now.bottleneck, api::Bottleneck::kDecode);
  EXPECT_EQ(recorder_.Progress().now.bottleneck_reason, kWhy);
  for (int i = 0; i < 100; ++i) {  // and then a model that never waits
    train::StepRecord step = MakeStep(40 + i);
    step.wait_seconds = 0;
    recorder_.OnStep(step);
  }
  EXPECT_EQ(recorder_.Progress().now.bottleneck, api::Bottleneck::kCompute);
  EXPECT_EQ(recorder_.Snapshot({}).summary.figures.bottleneck, api::Bottleneck::kUnsteady);
}

TEST_F(RecorderTest, NamesNoBottleneckOfAFewSteps) {
  Train(4 + 19);
  const api::RepeatFigures figures = recorder_.Snapshot({}).summary.figures;
  EXPECT_EQ(figures.bottleneck, api::Bottleneck::kNotMeasured);
  EXPECT_EQ(figures.bottleneck_reason, "fewer than 20 steps in the window");
  EXPECT_DOUBLE_EQ(*figures.input_stall_share, 0.25);
  EXPECT_EQ(recorder_.Progress().now.bottleneck, api::Bottleneck::kNotMeasured);
}

TEST_F(RecorderTest, ServesTheInputThreadsTheirQueueAndTheirErrors) {
  EXPECT_EQ(Metric("fairlap_input_threads"), "4");
  train::StepRecord step = MakeStep(0);
  step.ready_batches = 3;
  recorder_.OnStep(step);
  EXPECT_EQ(Metric("fairlap_ready_batches"), "3");
  data::PipelineTotals totals;
  totals.bad_files = 5;
  totals.unreadable_files = 2;
  recorder_.OnInput(totals);
  EXPECT_EQ(Metric("fairlap_stage_errors_total{stage=\"read\"}"), "2");
  EXPECT_EQ(Metric("fairlap_stage_errors_total{stage=\"decode\"}"), "3");
}

class SyntheticRecorderTest : public RecorderTest {
 protected:
  static api::RunConfig Config() {
    api::RunConfig config = MakeConfig();
    config.problem.dataset.format = api::DatasetFormat::kSynthetic;
    return config;
  }
  SyntheticRecorderTest() : RecorderTest(Config()) {}
};

TEST_F(SyntheticRecorderTest, HasNoInputThatCouldBeTheBottleneck) {
  Train(30);
  const api::RepeatFigures figures = recorder_.Snapshot({}).summary.figures;
  EXPECT_EQ(figures.bottleneck, api::Bottleneck::kCompute);
  EXPECT_EQ(figures.bottleneck_reason, "input stall 0 %, exposed copy 0 %, no input threads");
  EXPECT_FALSE(figures.input_threads_busy_ratio.has_value());
  EXPECT_FALSE(figures.queue_depth.has_value());
  EXPECT_EQ(Metric("fairlap_input_threads"), "");
  EXPECT_EQ(Metric("fairlap_ready_batches"), "");
}

TEST_F(RecorderTest, ServesNoGaugeThatHasNoValueYet) {
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("fairlap_data_stall_ratio ")));
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("fairlap_accuracy_ratio{")));
  EXPECT_EQ(Metric(kSamples), "0");
}

TEST_F(RecorderTest, LeavesFetchedBytesAbsentWhereNobodyTells) {
  fetched_.reset();
  recorder_.OnInput({});
  EXPECT_FALSE(recorder_.Snapshot({}).summary.figures.read_bytes_fetched.has_value());
  EXPECT_EQ(Metric("fairlap_read_bytes_total{source=\"fetched\"}"), "");
}

TEST_F(RecorderTest, CountsWhatTrainingFetchedAndNotWhatWasCopiedOrWarmedBefore) {
  recorder_.OnPhase(train::Phase::kStaging);
  fetched_ = 3000;
  recorder_.OnStaging({});
  recorder_.OnMark(train::Mark::kStagingDone);
  recorder_.OnPhase(train::Phase::kIndexing);
  fetched_ = 3100;
  recorder_.OnPhase(train::Phase::kPreparingCache);
  fetched_ = 5100;
  recorder_.OnMark(train::Mark::kCachePrepared);
  fetched_ = 5120;
  recorder_.OnPhase(train::Phase::kTraining);
  EXPECT_EQ(recorder_.Snapshot({}).summary.figures.read_bytes_fetched, 120);
}

TEST_F(RecorderTest, GivesEveryEpochItsMeanLossAndItsEvaluation) {
  train::StepRecord step = MakeStep(0, 4);
  step.samples = 3;
  step.learning_rate = 0.1;
  recorder_.OnStep(step);
  step = MakeStep(1, 2);
  step.samples = 1;
  step.learning_rate = 0.2;
  recorder_.OnStep(step);
  recorder_.OnEpochEnd(0);
  train::EvaluationRecord evaluation;
  evaluation.samples = 50;
  evaluation.seconds = 3;
  evaluation.top1 = 0.5;
  evaluation.loss = 1.25;
  recorder_.OnEvaluation(evaluation);
  const RankReport report = recorder_.Snapshot({});
  ASSERT_EQ(report.epochs.size(), 1U);
  EXPECT_EQ(report.epochs[0].train_loss, 3.5);
  EXPECT_EQ(report.epochs[0].samples, 4);
  EXPECT_EQ(report.epochs[0].learning_rate, 0.2);
  EXPECT_EQ(report.epochs[0].top1, 0.5);
  EXPECT_EQ(report.epochs[0].validation_loss, 1.25);
  EXPECT_EQ(report.epochs[0].evaluate_seconds, 3);
  EXPECT_EQ(report.summary.figures.epochs, 1);
  EXPECT_EQ(report.summary.figures.top1, 0.5);
  EXPECT_EQ(report.summary.figures.stage_seconds.evaluate, 3);
  EXPECT_EQ(Metric("fairlap_accuracy_ratio{metric=\"top1\"}"), "0.5");
  EXPECT_EQ(Metric("fairlap_samples_total{phase=\"evaluate\"}"), "50");
}

TEST_F(RecorderTest, ShowsWhatDenoisingStartsFromAndComesTo) {
  Train(1);
  recorder_.OnEpochEnd(0);
  train::EvaluationRecord evaluation;
  evaluation.psnr_decibels = 31.5;
  evaluation.input_psnr_decibels = 20.25;
  evaluation.loss = 0.75;
  recorder_.OnEvaluation(evaluation);
  const RankReport report = recorder_.Snapshot({});
  const WorkerProgress progress = recorder_.Progress();
  EXPECT_EQ(report.epochs[0].psnr_decibels, 31.5);
  EXPECT_EQ(report.epochs[0].input_psnr_decibels, 20.25);
  EXPECT_EQ(report.summary.figures.psnr_decibels, 31.5);
  EXPECT_EQ(report.summary.figures.input_psnr_decibels, 20.25);
  EXPECT_EQ(progress.now.psnr_decibels, 31.5);
  EXPECT_EQ(progress.now.input_psnr_decibels, 20.25);
  EXPECT_EQ(Metric("fairlap_psnr_decibels"), "31.5");
  EXPECT_EQ(Metric("fairlap_input_psnr_decibels"), "20.25");
  EXPECT_EQ(Metric("fairlap_validation_loss"), "0.75");
}

TEST_F(RecorderTest, TellsTheNewestEpochsInLessThanItsReadersTake) {
  constexpr int64_t kEpochs = 150;
  for (int64_t epoch = 0; epoch < kEpochs; ++epoch) {
    train::StepRecord step = MakeStep(epoch, 1.23456e-10);
    step.epoch = api::kMaxSafeInteger - kEpochs + epoch;
    step.learning_rate = step.wall_seconds = 1.23456e-10;
    step.samples = api::kMaxSafeInteger / kEpochs;
    recorder_.OnStep(step);
    recorder_.OnEpochEnd(step.epoch);
    train::EvaluationRecord evaluation;
    evaluation.epoch = step.epoch;
    evaluation.seconds = 1.23456e-10;
    for (auto* metric : {&evaluation.top1, &evaluation.top5, &evaluation.loss,
                         &evaluation.psnr_decibels, &evaluation.input_psnr_decibels}) {
      *metric = 1.23456e-10;
    }
    recorder_.OnEvaluation(evaluation);
  }
  const WorkerProgress progress = recorder_.Progress();
  ASSERT_EQ(progress.epochs.size(), kMaxProgressEpochs);
  EXPECT_EQ(progress.epochs.back().epoch, api::kMaxSafeInteger - 1);
  const base::Json json = ToJson(progress);
  EXPECT_EQ(json["epochs"].back()["epoch"], api::kMaxSafeInteger - 1);
  EXPECT_EQ(json["phase"], "starting");
  constexpr size_t kReadAtMost = 64 * 1024;
  EXPECT_LT(json.dump().size(), kReadAtMost);
}

TEST_F(RecorderTest, KeepsHowFarStagingCame) {
  recorder_.OnPhase(train::Phase::kStaging);
  EXPECT_EQ(recorder_.Progress().now.phase, "staging");
  EXPECT_EQ(Metric(kStageIn), "");
  recorder_.OnStaging(
      {.files = 1, .bytes = 100, .total_files = 4, .total_bytes = 400, .seconds = 2});
  const RankReport stopped = recorder_.Snapshot({api::Outcome::kInterrupted, "Interrupted", ""});
  ASSERT_TRUE(stopped.data.staging.has_value());
  EXPECT_EQ(stopped.data.staging->files, 1);
  EXPECT_EQ(stopped.summary.figures.stage_seconds.stage_in, 2);
  EXPECT_EQ(stopped.summary.marks.staging_done, std::nullopt);

  recorder_.OnStaging(
      {.files = 4, .bytes = 400, .total_files = 4, .total_bytes = 400, .seconds = 5});
  recorder_.OnMark(train::Mark::kStagingDone);
  DataFacts indexed;
  indexed.train_samples = 4;
  recorder_.OnData(indexed);
  const RankReport done = recorder_.Snapshot({api::Outcome::kSucceeded, "", ""});
  ASSERT_TRUE(done.data.staging.has_value());  // what indexing told has not replaced it
  EXPECT_EQ(done.data.staging->bytes, 400);
  EXPECT_EQ(done.data.train_samples, 4);
  EXPECT_TRUE(done.summary.marks.staging_done.has_value());
  EXPECT_EQ(ToJson(recorder_.Progress())["staging"]["totalBytes"], 400);
  EXPECT_EQ(Metric(kStageIn), "5");
  EXPECT_EQ(Metric("fairlap_staged_bytes_total"), "400");
}

TEST_F(RecorderTest, CountsStagingAsATouchOfTheData) {
  recorder_.OnPhase(train::Phase::kStaging);
  clock_.now += std::chrono::seconds(30);
  recorder_.OnPhase(train::Phase::kIndexing);
  clock_.now += std::chrono::seconds(90);
  recorder_.OnMark(train::Mark::kTargetReached);
  EXPECT_EQ(recorder_.Snapshot({}).summary.figures.time_to_accuracy_seconds, 120);
}

TEST_F(RecorderTest, TimesAccuracyFromTheFirstTouchOfTheDataToTheTarget) {
  recorder_.OnPhase(train::Phase::kIndexing);
  clock_.now += std::chrono::seconds(90);
  recorder_.OnMark(train::Mark::kTargetReached);
  clock_.now += std::chrono::seconds(5);
  const RankReport report = recorder_.Snapshot({});
  EXPECT_EQ(report.summary.figures.time_to_accuracy_seconds, 90);
  EXPECT_EQ(report.summary.marks.target_reached, "2001-09-09T01:48:10.000000Z");
}

TEST_F(RecorderTest, TakesCachePreparationOffTheTimeToAccuracy) {
  recorder_.OnPhase(train::Phase::kIndexing);
  recorder_.OnPhase(train::Phase::kPreparingCache);
  EXPECT_EQ(recorder_.Progress().now.phase, "preparingCache");
  recorder_.OnCache({.state = api::CacheState::kUnverified, .reason = "", .prepare_seconds = 30});
  clock_.now += std::chrono::seconds(90);
  recorder_.OnMark(train::Mark::kTargetReached);
  EXPECT_EQ(recorder_.Snapshot({}).summary.figures.time_to_accuracy_seconds, 60);
}

TEST_F(RecorderTest, KeepsTheLastStateOfTheCacheWithItsReason) {
  const auto figures = [this] { return recorder_.Snapshot({}).summary.figures; };
  EXPECT_EQ(figures().cache_state, api::CacheState::kUnverified);
  EXPECT_FALSE(figures().cache_state_reason.has_value());
  recorder_.OnCache({.state = api::CacheState::kUnverified,
                     .reason = "the first pass is not finished",
                     .prepare_seconds = 1.5});
  EXPECT_EQ(figures().cache_state_reason, "the first pass is not finished");
  recorder_.OnCache(
      {.state = api::CacheState::kCold, .reason = std::string(300, 'x'), .prepare_seconds = 1.5});
  EXPECT_EQ(figures().cache_state, api::CacheState::kCold);
  EXPECT_EQ(figures().cache_state_reason->size(), 256U) << "no longer than the API takes";
  EXPECT_EQ(figures().stage_seconds.cache_prepare, 1.5);
  EXPECT_EQ(Metric("fairlap_stage_seconds_total{stage=\"cache_prepare\"}"), "1.5");
}

TEST_F(RecorderTest, SaysSoIfTheLossWasNotFinite) {
  recorder_.OnStep(MakeStep(0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(recorder_.Snapshot({}).checks.loss_finite, false);
}

TEST_F(RecorderTest, TellsProgressFromTheLastSeconds) {
  recorder_.OnPlan({40, 20});
  for (int i = 0; i < 10; ++i) {
    train::StepRecord step = MakeStep(i);
    step.wall_seconds = i < 5 ? 100 : 1;  // only the fast ones are recent
    recorder_.OnStep(step);
  }
  const api::Progress progress = recorder_.Progress().now;
  EXPECT_EQ(progress.step, 10);
  EXPECT_EQ(progress.total_steps, 40);
  EXPECT_EQ(progress.percent, 25);
  EXPECT_EQ(progress.samples_per_second, 8);
  EXPECT_EQ(progress.eta_seconds, 30);
  EXPECT_EQ(progress.loss, 1);
  EXPECT_EQ(Metric("fairlap_progress_ratio"), "0.25");
  EXPECT_EQ(Metric("fairlap_samples_per_second"), "8");
}

TEST_F(RecorderTest, NamesThePhase) {
  EXPECT_EQ(recorder_.Progress().now.phase, "starting");
  recorder_.OnPhase(train::Phase::kEvaluating);
  EXPECT_EQ(recorder_.Progress().now.phase, "evaluating");
  recorder_.OnFinished();
  EXPECT_EQ(recorder_.Progress().now.phase, "finished");
}

class AccuracyRecorderTest : public RecorderTest {
 protected:
  static api::RunConfig Config() {
    api::RunConfig config = MakeConfig();
    config.problem.stop.steps.reset();
    config.problem.stop.accuracy.emplace().max_epochs = 2;
    return config;
  }
  AccuracyRecorderTest() : RecorderTest(Config()) {}
};

TEST_F(AccuracyRecorderTest, DoesNotClaimToKnowHowManyStepsItTakes) {
  recorder_.OnPlan({40, 20});
  Train(10);
  EXPECT_FALSE(recorder_.Progress().now.total_steps.has_value());
  EXPECT_EQ(recorder_.Progress().now.percent, 25);
}

// Under the thread sanitizer this fails if anything is shared without the lock.
TEST_F(RecorderTest, MayBeAskedWhileItRecords) {
  recorder_.OnPlan({200, 0});
  {
    const std::jthread asker([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        EXPECT_LE(recorder_.Progress().now.step, 200);
        EXPECT_LE(recorder_.Snapshot({}).summary.figures.steps, 200);
        EXPECT_THAT(metrics_.Text(), HasSubstr(kSamples));
      }
    });
    for (int i = 0; i < 200; ++i) {
      recorder_.OnStep(MakeStep(i));
      recorder_.OnInput({});
      if (i % 50 == 49) recorder_.OnEpochEnd(i / 50);
    }
  }
  EXPECT_EQ(recorder_.Progress().now.step, 200);
}

}  // namespace
}  // namespace fairlap::report

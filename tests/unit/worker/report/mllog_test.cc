#include "worker/report/mllog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "worker/report/tee.h"

namespace fairlap::report {
namespace {

using base::Json;
using testing::ElementsAre;
using testing::IsEmpty;
using train::Phase;

// A millisecond passes between any two looks.
class TickingClock final : public base::Clock {
 public:
  base::SteadyTime Now() const override { return base::SteadyTime(Tick()); }
  base::WallTime WallNow() const override { return base::WallTime(Tick()); }

 private:
  std::chrono::milliseconds Tick() const { return ++now_; }
  mutable std::chrono::milliseconds now_{1'000'000'000'000};
};

api::RunConfig MakeConfig() {
  api::RunConfig config;
  config.seed = 7;
  config.gpus = 2;
  config.nodes = 2;
  config.problem.batch_size = 4;
  config.problem.optimizer.learning_rate.text = "0.1";
  config.problem.stop.epochs = 2;
  return config;
}

DataFacts MakeData() {
  DataFacts facts;
  facts.train_samples = 64;
  facts.validation_samples = 8;
  return facts;
}

train::EvaluationRecord MakeEvaluation(int64_t epoch) {
  train::EvaluationRecord record;
  record.epoch = epoch;
  record.top1 = 0.5;
  record.psnr_decibels = 30;
  record.loss = 1.25;
  return record;
}

class MlLogTest : public testing::Test {
 protected:
  explicit MlLogTest(const api::RunConfig& config = MakeConfig())
      : log_(config, base::WallTime(std::chrono::milliseconds(5)), clock_,
             [this](std::string_view line) { Take(line); }) {}

  void Take(std::string_view line) {
    constexpr std::string_view kMark = ":::MLLOG ";
    ASSERT_TRUE(line.starts_with(kMark) && line.ends_with("\n")) << line;
    lines_.push_back(Json::parse(line.substr(kMark.size())));
  }
  void TrainEpoch(int64_t epoch) {
    train::StepRecord step;
    step.epoch = epoch;
    log_.OnStep(step);
    log_.OnStep(step);
    log_.OnEpochEnd(epoch);
  }
  void EvaluateEpoch(int64_t epoch) {
    log_.OnPhase(Phase::kEvaluating);
    log_.OnEvaluation(MakeEvaluation(epoch));
  }
  // "epoch_start 1" for every line from the one of that key on.
  std::vector<std::string> KeysFrom(const std::string& first) const {
    std::vector<std::string> keys;
    for (const Json& line : lines_) {
      if (keys.empty() && line["key"] != first) continue;
      const Json& metadata = line["metadata"];
      keys.push_back(line["key"].get<std::string>() +
                     (metadata.contains("epoch_num") ? " " + metadata["epoch_num"].dump() : ""));
    }
    return keys;
  }
  Json Find(const std::string& key) const {
    for (const Json& line : lines_) {
      if (line["key"] == key) return line;
    }
    ADD_FAILURE() << "no " << key;
    return Json::object();
  }

  TickingClock clock_;
  std::vector<Json> lines_;
  MlLog log_;
};

TEST_F(MlLogTest, BeginsWithTheProcessAndTheConfig) {
  ASSERT_FALSE(lines_.empty());
  EXPECT_EQ(lines_[0]["key"], "init_start");
  EXPECT_EQ(lines_[0]["time_ms"], 5);
  EXPECT_EQ(lines_[0]["event_type"], "INTERVAL_START");
  EXPECT_EQ(lines_[0]["namespace"], "");
  EXPECT_TRUE(lines_[0]["value"].is_null());
  EXPECT_EQ(Find("seed")["value"], 7);
  EXPECT_EQ(Find("seed")["event_type"], "POINT_IN_TIME");
  EXPECT_EQ(Find("global_batch_size")["value"], 16);
  EXPECT_EQ(Find("opt_name")["value"], "sgd");
  EXPECT_EQ(Find("opt_base_learning_rate")["value"], 0.1);
  EXPECT_EQ(Find("seed")["metadata"]["file"], "worker/report/mllog.cc");
  EXPECT_GT(Find("seed")["metadata"]["lineno"], 0);
}

TEST_F(MlLogTest, TellsAWholeRunInItsOrder) {
  log_.OnPhase(Phase::kIndexing);
  log_.OnData(MakeData());
  log_.OnPhase(Phase::kTraining);
  TrainEpoch(0);
  TrainEpoch(1);
  EvaluateEpoch(1);
  log_.OnPhase(Phase::kTraining);
  log_.OnPhase(Phase::kFinishing);
  log_.OnData(MakeData());
  log_.Stop(api::Outcome::kSucceeded);
  EXPECT_THAT(KeysFrom("init_stop"),
              ElementsAre("init_stop", "run_start", "train_samples", "eval_samples",
                          "epoch_start 1", "epoch_stop 1", "epoch_start 2", "epoch_stop 2",
                          "eval_start 2", "eval_accuracy 2", "eval_stop 2", "run_stop"));
  EXPECT_EQ(Find("run_stop")["metadata"]["status"], "success");
  for (size_t i = 1; i < lines_.size(); ++i) {
    EXPECT_LE(lines_[i - 1]["time_ms"], lines_[i]["time_ms"]) << lines_[i];
  }
}

TEST_F(MlLogTest, BeginsTheRunWithTheCopyToScratch) {
  log_.OnPhase(Phase::kStaging);
  EXPECT_THAT(KeysFrom("init_stop"), ElementsAre("init_stop", "run_start"));
  log_.OnPhase(Phase::kIndexing);
  EXPECT_THAT(KeysFrom("init_stop"), ElementsAre("init_stop", "run_start"));
}

TEST_F(MlLogTest, AbortsWhatWasInterruptedAndThenSaysNoMore) {
  log_.OnPhase(Phase::kIndexing);
  log_.OnPhase(Phase::kTraining);
  log_.OnStep({});
  log_.Stop(api::Outcome::kInterrupted);
  log_.OnStep({});
  log_.OnEpochEnd(0);
  log_.Stop(api::Outcome::kSucceeded);
  EXPECT_THAT(KeysFrom("run_start"), ElementsAre("run_start", "epoch_start 1", "run_stop"));
  EXPECT_EQ(Find("run_stop")["metadata"]["status"], "aborted");
}

TEST_F(MlLogTest, StopsNoRunThatNeverStarted) {
  log_.Stop(api::Outcome::kFailed);
  EXPECT_THAT(KeysFrom("run_stop"), IsEmpty());
}

TEST_F(MlLogTest, ShowsAnEpochOfBadFilesAsAnEmptyOne) {
  log_.OnPhase(Phase::kIndexing);
  log_.OnPhase(Phase::kTraining);
  log_.OnEpochEnd(0);
  EXPECT_THAT(KeysFrom("epoch_start"), ElementsAre("epoch_start 1", "epoch_stop 1"));
}

TEST_F(MlLogTest, TakesTop1ForTheAccuracyWhereNothingElseIsAskedFor) {
  EvaluateEpoch(0);
  EXPECT_EQ(Find("eval_accuracy")["value"], 0.5);
  EXPECT_EQ(Find("eval_accuracy")["metadata"]["metric"], "top1");
}

class DenoisingMlLogTest : public MlLogTest {
 protected:
  static api::RunConfig Config() {
    api::RunConfig config = MakeConfig();
    config.problem.stop.epochs.reset();
    config.problem.stop.accuracy.emplace().metric = api::AccuracyMetric::kPsnr;
    return config;
  }
  DenoisingMlLogTest() : MlLogTest(Config()) {}
};

TEST_F(DenoisingMlLogTest, TakesWhatTheStopRuleLooksAtForTheAccuracy) {
  EvaluateEpoch(0);
  EXPECT_EQ(Find("eval_accuracy")["value"], 30);
  EXPECT_EQ(Find("eval_accuracy")["metadata"]["metric"], "psnr");
}

TEST_F(MlLogTest, HearsTheSameAsTheObserverBesideIt) {
  std::vector<std::string> others;
  MlLog other({}, {}, clock_, [&others](std::string_view line) { others.emplace_back(line); });
  Tee both(log_, other);
  const size_t before = lines_.size(), before_other = others.size();
  train::Observer& observer = both;
  observer.OnPhase(Phase::kIndexing);
  observer.OnData({});
  observer.OnPhase(Phase::kTraining);
  observer.OnStep({});
  observer.OnEpochEnd(0);
  observer.OnEvaluation(MakeEvaluation(0));
  EXPECT_EQ(lines_.size() - before, others.size() - before_other);
  EXPECT_GE(lines_.size() - before, 8U);
}

}  // namespace
}  // namespace fairlap::report

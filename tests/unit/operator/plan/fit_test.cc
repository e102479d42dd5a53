#include "operator/plan/fit.h"

#include <gtest/gtest.h>

#include "lib/api/documents.h"
#include "lib/base/codec.h"

namespace fairlap::plan {
namespace {

constexpr char kTime[] = "2026-03-01T12:00:00.123456Z";

void FillMarks(api::ClockMarks& marks) {
  for (auto* mark : {&marks.job_created, &marks.admitted, &marks.scheduled, &marks.image_ready,
                     &marks.container_started, &marks.staging_done, &marks.cache_prepared,
                     &marks.data_indexed, &marks.model_ready, &marks.first_batch, &marks.first_step,
                     &marks.first_evaluation, &marks.target_reached, &marks.finished}) {
    *mark = kTime;
  }
}

// An evaluation has either accuracies or, of one figure less, decibels.
void FillFigures(api::RepeatFigures& figures) {
  auto* text = &figures;
  for (auto* value : {&text->samples_per_second,
                      &text->window_seconds,
                      &text->step_seconds_p50,
                      &text->step_seconds_p95,
                      &text->step_seconds_p99,
                      &text->step_seconds_jitter,
                      &text->step_seconds_block_error,
                      &text->step_seconds_block_variation,
                      &text->data_stall_ratio,
                      &text->input_ready_ratio,
                      &text->accelerator_utilization_ratio,
                      &text->input_stall_share,
                      &text->exposed_copy_share,
                      &text->input_threads_busy_ratio,
                      &text->queue_depth,
                      &text->time_to_first_result_seconds,
                      &text->time_to_results_seconds,
                      &text->time_to_accuracy_seconds,
                      &text->first_loss,
                      &text->final_loss,
                      &text->top1,
                      &text->top5,
                      &text->validation_loss,
                      &text->cost}) {
    *value = 123456e-10;
  }
  api::StageSeconds& stages = figures.stage_seconds;
  for (auto* stage : {&stages.read, &stages.decode, &stages.transform, &stages.wait, &stages.copy,
                      &stages.forward, &stages.backward, &stages.update, &stages.all_reduce,
                      &stages.evaluate, &stages.stage_in, &stages.cache_prepare}) {
    *stage = 123.456;
  }
  api::StallAnalysis& stalls = figures.stall_analysis;
  stalls.state = api::StallState::kMeasured;
  stalls.reason = figures.bottleneck_reason = std::string(256, 'r');
  figures.read_bytes_requested = figures.read_bytes_fetched = api::kMaxSafeInteger;
  figures.steps = figures.samples = figures.window_steps = figures.window_samples =
      api::kMaxSafeInteger;
}

// As large as the API allows it to get: 10 warm-up runs, 50 repeats, 5 attempts each.
api::RunStatus LargestStatus() {
  api::RunStatus status;
  for (int i = 0; i < 60; ++i) {
    api::RepeatStatus& repeat = status.repeats.emplace_back();
    repeat.name = "w" + std::to_string(10 + i % 50);
    repeat.seed = api::kMaxSafeInteger;
    repeat.outcome = api::Outcome::kSucceeded;
    for (int64_t attempt = 1; attempt <= 5; ++attempt) {
      api::AttemptStatus& made = repeat.attempts.emplace_back();
      made.attempt = attempt;
      made.job = std::string(63, 'j');
      made.outcome = attempt == 5 ? api::Outcome::kSucceeded : api::Outcome::kNotStarted;
      if (attempt < 5) made.reason = std::string(64, 'R');
      made.message = std::string(256, 'm');
      made.nodes.assign(8, std::string(253, 'n'));
      made.report = "configmap/" + std::string(70, 'c');
      made.lost.assign(8, std::string(128, 'l'));
      FillMarks(made.marks);
    }
    FillFigures(repeat.figures.emplace());
  }
  for (int i = 0; i < 8; ++i) {
    auto& condition = status.conditions.emplace_back();
    condition.type = condition.reason = "RepeatsSucceeded";
    condition.message = std::string(400, 'c');
    condition.last_transition_time = kTime;
  }
  auto& summary = status.summary.emplace();
  summary.flags.assign(12, std::string(250, 'f'));
  const std::vector<double> values(50, 1.23456e-10);
  for (auto* metric :
       {&summary.samples_per_second, &summary.time_to_first_result_seconds,
        &summary.time_to_results_seconds, &summary.time_to_accuracy_seconds,
        &summary.data_stall_ratio, &summary.top1, &summary.final_loss, &summary.cost}) {
    *metric = stats::Summarise(values, 0, stats::Better::kHigher);
  }
  return status;
}

size_t SizeOf(const api::RunStatus& status) { return base::Encode(status).dump().size(); }

TEST(FitStatus, LeavesAnOrdinaryStatusAlone) {
  api::RunStatus status = LargestStatus();
  status.repeats.resize(5);
  status.summary->flags.clear();
  for (api::RepeatStatus& repeat : status.repeats) {
    repeat.attempts.erase(repeat.attempts.begin(), repeat.attempts.end() - 1);
    repeat.attempts[0].nodes.resize(1);
    repeat.attempts[0].lost.clear();
  }
  const std::string before = base::Encode(status).dump();
  FitStatus(status);
  EXPECT_EQ(base::Encode(status).dump(), before);
}

TEST(FitStatus, FitsTheLargestStatusThereCanBe) {
  api::RunStatus status = LargestStatus();
  FitStatus(status);
  EXPECT_LE(SizeOf(status), kMaxStatusBytes);
}

TEST(FitStatus, KeepsWhatTheSummaryAndThePlannerNeed) {
  api::RunStatus status = LargestStatus();
  status.repeats.back().outcome = api::Outcome::kRunning;
  const api::RepeatStatus running = status.repeats.back();
  FitStatus(status);
  for (const api::RepeatStatus& repeat : status.repeats) {
    ASSERT_TRUE(repeat.figures && repeat.figures->samples_per_second) << repeat.name;
    EXPECT_TRUE(repeat.figures->time_to_results_seconds.has_value());
    EXPECT_TRUE(repeat.attempts.back().marks.container_started.has_value());
    EXPECT_TRUE(repeat.attempts.back().marks.finished.has_value()) << "deadlines count it";
    EXPECT_EQ(repeat.attempts.back().attempt, 5);
  }
  EXPECT_FALSE(status.repeats[0].attempts.back().nodes.empty()) << "later repeats run there, too";
  EXPECT_EQ(base::Encode(status.repeats.back()).dump(), base::Encode(running).dump())
      << "a repeat that goes on is not touched";
}

}  // namespace
}  // namespace fairlap::plan

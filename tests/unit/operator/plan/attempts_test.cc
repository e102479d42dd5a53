#include "operator/plan/attempts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "operator/plan/text.h"
#include "tests/unit/operator/plan/simulation.h"

namespace fairlap::plan {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const base::WallTime kNow = base::ParseTime("2026-03-01T12:00:00Z").value();

ObservedJob EndedJob(JobPhase phase, std::string message) {
  ObservedJob job;
  job.name = "demo-1-1";
  job.phase = phase;
  job.created = job.scheduled = job.container_started = job.finished = kNow;
  job.termination_message = std::move(message);
  return job;
}

TEST(ObserveAttempt, SurvivesATerminationMessageCutAnywhere) {
  const std::string whole = TerminationMessage(api::Outcome::kSucceeded, kNow, 100);
  for (size_t length = 0; length < whole.size(); ++length) {
    api::AttemptStatus attempt;
    const auto figures =
        ObserveAttempt(EndedJob(JobPhase::kSucceeded, whole.substr(0, length)), {}, attempt);
    EXPECT_FALSE(figures.has_value()) << length;
    EXPECT_EQ(attempt.outcome, api::Outcome::kSucceeded);
    EXPECT_EQ(attempt.lost.size(), 2U);
  }
}

TEST(ObserveAttempt, ReadsAMessageOfANewerWorker) {
  std::string message = TerminationMessage(api::Outcome::kSucceeded, kNow, 100);
  message.insert(1, R"("somethingNew":{"a":1},)");
  api::AttemptStatus attempt;
  const auto figures = ObserveAttempt(EndedJob(JobPhase::kSucceeded, message), {}, attempt);
  ASSERT_TRUE(figures.has_value());
  EXPECT_EQ(figures->samples_per_second, 100);
  EXPECT_THAT(attempt.lost, IsEmpty());
}

TEST(ObserveAttempt, BelievesAWorkerThatSaysItFailed) {
  const std::string message = TerminationMessage(api::Outcome::kFailed, kNow, 0);
  api::AttemptStatus attempt;
  ObserveAttempt(EndedJob(JobPhase::kSucceeded, message), {}, attempt);
  EXPECT_EQ(attempt.outcome, api::Outcome::kFailed);
  EXPECT_EQ(attempt.reason, "BadFile");
}

TEST(ObserveAttempt, BelievesAJobThatFailedAfterItsWorkerSucceeded) {
  ObservedJob job =
      EndedJob(JobPhase::kFailed, TerminationMessage(api::Outcome::kSucceeded, kNow, 100));
  job.reason = "Error";
  job.message = "exit code 139";
  api::AttemptStatus attempt;
  ObserveAttempt(job, {}, attempt);
  EXPECT_EQ(attempt.outcome, api::Outcome::kFailed);
  EXPECT_EQ(attempt.reason, "Error");
  EXPECT_EQ(attempt.message, "exit code 139");
}

TEST(ObserveAttempt, NamesTheKillerOfAWorkerThatLeftNothing) {
  ObservedJob job = EndedJob(JobPhase::kFailed, "");
  job.reason = "OOMKilled";
  api::AttemptStatus attempt;
  ObserveAttempt(job, {}, attempt);
  EXPECT_EQ(attempt.outcome, api::Outcome::kFailed);
  EXPECT_EQ(attempt.reason, "OOMKilled");
  EXPECT_THAT(attempt.lost.at(0), HasSubstr("left no termination message (OOMKilled)"));
}

TEST(ObserveAttempt, NeverStoresAReasonThatTheApiWouldRefuse) {
  ObservedJob job = EndedJob(JobPhase::kFailed, "");
  job.reason = "exit code 1: no space left";
  api::AttemptStatus attempt;
  ObserveAttempt(job, {}, attempt);
  EXPECT_EQ(attempt.reason, "JobFailed");
}

TEST(Cut, NeverDividesACharacter) {
  const std::string text = "aaaa\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9";  // a, then e acute
  EXPECT_EQ(Cut(text, text.size()), text);
  EXPECT_EQ(Cut(text, 8), "aaaa...");
  EXPECT_EQ(Cut(text, 9), "aaaa\xC3\xA9...");
}

}  // namespace
}  // namespace fairlap::plan

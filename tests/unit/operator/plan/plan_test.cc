#include "operator/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "lib/base/codec.h"
#include "operator/plan/conditions.h"
#include "operator/plan/reasons.h"
#include "tests/unit/operator/plan/simulation.h"

namespace fairlap::plan {
namespace {

using api::Outcome;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string ReasonOf(const Simulation& simulation, const char* type) {
  const api::Condition* condition = FindCondition(simulation.run.status, type);
  return condition == nullptr ? "" : condition->reason;
}

// Settles and ticks until the job is there and has the phase.
void RunUntil(Simulation& simulation, const std::string& job, JobPhase phase) {
  for (int i = 0; i < 50; ++i) {
    simulation.Settle();
    const auto found = simulation.jobs.find(job);
    if (found != simulation.jobs.end() && found->second.phase == phase) return;
    simulation.Tick();
  }
  FAIL() << job << " never came so far";
}

TEST(MakePlan, SetsEveryConditionAndCreatesNothingOnTheFirstVisit) {
  Simulation simulation;
  const Plan plan = simulation.Step();
  std::vector<std::string> types;
  for (const auto& condition : plan.status.conditions) types.push_back(condition.type);
  EXPECT_THAT(types, ElementsAre(kAccepted, kRunning, kComplete, kFailed, kReconciling, kStalled));
  EXPECT_TRUE(plan.actions.empty());
  EXPECT_EQ(plan.look_again, simulation.now);
  EXPECT_EQ(plan.status.state, "Pending");
}

TEST(MakePlan, RunsWarmUpsThenRepeatsEachWithItsConfigMapFirst) {
  Simulation simulation;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_THAT(simulation.log, ElementsAre("create ConfigMap demo-w1-1", "create Job demo-w1-1",
                                          "create ConfigMap demo-1-1", "create Job demo-1-1",
                                          "create ConfigMap demo-2-1", "create Job demo-2-1"));
  EXPECT_EQ(simulation.run.status.state, "Complete");
  EXPECT_EQ(simulation.run.status.progress->text, "2/2 100%");
  EXPECT_EQ(simulation.run.status.summary->samples_per_second->n, 2);
  EXPECT_EQ(simulation.run.status.summary->samples_per_second->succeeded, 2);
}

TEST(MakePlan, SendsEachEventOnce) {
  Simulation simulation;
  simulation.run.spec.measurement.repeats = 1;
  simulation.run.spec.measurement.warmup_runs = 0;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_THAT(simulation.EventReasons(),
              ElementsAre(kSpecAccepted, kJobCreated, kQueued, kRepeatStarted, kRepeatSucceeded,
                          kRepeatsSucceeded));
}

TEST(MakePlan, ShowsWhereTheRunStands) {
  Simulation simulation;
  std::vector<std::string> states;
  while (!IsFinished(simulation.run.status)) {
    simulation.Settle();
    const std::string state = simulation.run.status.state.value();
    if (states.empty() || states.back() != state) states.push_back(state);
    if (state == "Running" && simulation.run.status.progress->repeat == "2") break;
    simulation.Tick();
  }
  EXPECT_THAT(states, ElementsAre("Queued", "Starting", "Running", "Queued", "Starting", "Running",
                                  "Queued", "Starting", "Running"));
}

TEST(MakePlan, RecordsADrawnSeedOnceAndDerivesEachRepeatsOwn) {
  Simulation simulation;
  simulation.run.spec.measurement.seed.reset();
  simulation.Step();
  simulation.fresh_seed = 99;  // the next observation draws again
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(simulation.run.status.seed, 11);
  EXPECT_NE(simulation.RepeatNamed("1").seed, simulation.RepeatNamed("2").seed);
}

TEST(MakePlan, RefusesASpecThatBreaksARuleByName) {
  Simulation simulation;
  simulation.run.spec.problem.stop.epochs = 3;  // beside steps
  const Plan plan = simulation.Step();
  EXPECT_TRUE(plan.done);
  EXPECT_EQ(ReasonOf(simulation, kAccepted), kInvalidSpec);
  EXPECT_EQ(ReasonOf(simulation, kFailed), kInvalidSpec);
  EXPECT_THAT(FindCondition(plan.status, kAccepted)->message, HasSubstr("spec.problem.stop"));
  EXPECT_EQ(plan.status.state, "Failed");
}

TEST(MakePlan, RefusesWhatThisVersionDoesNotHave) {
  Simulation simulation;
  simulation.run.spec.software.input.reader = api::Reader::kUring;
  const Plan plan = simulation.Step();
  EXPECT_TRUE(plan.done);
  EXPECT_EQ(ReasonOf(simulation, kAccepted), kNotAvailable);
}

TEST(MakePlan, GoesOnAfterAFailedRepeatAndCompletes) {
  Simulation simulation;
  simulation.fates["demo-1-1"] = Fate::kFails;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(simulation.run.status.state, "Complete");
  EXPECT_EQ(simulation.RepeatNamed("1").outcome, Outcome::kFailed);
  EXPECT_EQ(simulation.RepeatNamed("1").attempts.size(), 1U);
  EXPECT_EQ(simulation.RepeatNamed("1").attempts[0].reason, "BadFile");
  EXPECT_EQ(simulation.run.status.summary->samples_per_second->n, 2);
  EXPECT_EQ(simulation.run.status.summary->samples_per_second->succeeded, 1);
}

TEST(MakePlan, FailsIfNoCountedRepeatSucceeded) {
  Simulation simulation;
  simulation.fates["demo-1-1"] = simulation.fates["demo-2-1"] = Fate::kFails;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(simulation.RepeatNamed("w1").outcome, Outcome::kSucceeded);
  EXPECT_EQ(ReasonOf(simulation, kFailed), kRepeatsFailed);
  EXPECT_THAT(FindCondition(simulation.run.status, kFailed)->message,
              StartsWith("0 of 2 repeats succeeded; first failure: job demo-1-1: BadFile"));
  EXPECT_TRUE(IsTrue(simulation.run.status, kStalled));
}

TEST(MakePlan, RunsAnAttemptAgainThatNeverStarted) {
  Simulation simulation;
  simulation.fates["demo-1-1"] = Fate::kNeverStarts;
  ASSERT_TRUE(simulation.RunToEnd());
  const api::RepeatStatus& repeat = simulation.RepeatNamed("1");
  ASSERT_EQ(repeat.attempts.size(), 2U);
  EXPECT_EQ(repeat.attempts[0].outcome, Outcome::kNotStarted);
  EXPECT_EQ(repeat.attempts[0].reason, "UnexpectedAdmissionError");
  EXPECT_EQ(repeat.outcome, Outcome::kSucceeded);
}

TEST(MakePlan, GivesUpARepeatAfterFiveAttemptsAndGoesOn) {
  Simulation simulation;
  for (int i = 1; i <= 5; ++i) {
    simulation.fates["demo-1-" + std::to_string(i)] = Fate::kNeverStarts;
  }
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(simulation.RepeatNamed("1").attempts.size(), 5U);
  EXPECT_EQ(simulation.RepeatNamed("1").outcome, Outcome::kNotStarted);
  EXPECT_EQ(simulation.run.status.state, "Complete");
  // It never ran, so it is no failure of what is measured.
  EXPECT_EQ(simulation.run.status.summary->samples_per_second->n, 1);
}

TEST(MakePlan, NamesTheFiguresThatACutTerminationMessageLost) {
  Simulation simulation;
  simulation.fates["demo-1-1"] = Fate::kLeavesCutMessage;
  ASSERT_TRUE(simulation.RunToEnd());
  const api::RepeatStatus& repeat = simulation.RepeatNamed("1");
  EXPECT_EQ(repeat.outcome, Outcome::kSucceeded);
  EXPECT_FALSE(repeat.figures.has_value());
  EXPECT_THAT(repeat.attempts[0].lost, Contains(HasSubstr("cut or is no JSON")));
  EXPECT_THAT(simulation.run.status.summary->flags, Contains("figures lost: repeat 1"));
  EXPECT_THAT(simulation.EventReasons(), Contains(kFiguresLost));
}

TEST(MakePlan, TreatsAForeignJobOfItsNameAsAConflictAndLeavesItAlone) {
  Simulation simulation;
  ObservedJob foreign;
  foreign.name = "demo-1-1";
  foreign.owned = false;
  foreign.phase = JobPhase::kRunning;
  simulation.jobs[foreign.name] = foreign;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(ReasonOf(simulation, kFailed), kNameConflict);
  EXPECT_EQ(ReasonOf(simulation, kStalled), kNameConflict);
  EXPECT_EQ(simulation.RepeatNamed("w1").outcome, Outcome::kSucceeded);
  EXPECT_THAT(simulation.log, Not(Contains("delete Job demo-1-1")));
}

TEST(MakePlan, StartsNothingMoreOnceCancelledAndKeepsTheFigures) {
  Simulation simulation;
  RunUntil(simulation, "demo-2-1", JobPhase::kRunning);
  simulation.cancelled = true;
  simulation.Settle();
  EXPECT_EQ(ReasonOf(simulation, kRunning), kStoppingJob);
  ObservedJob& job = simulation.jobs["demo-2-1"];
  job.phase = JobPhase::kFailed;
  job.interrupted = true;
  job.finished = simulation.now;
  job.termination_message = TerminationMessage(Outcome::kInterrupted, simulation.now, 80);
  ASSERT_TRUE(simulation.RunToEnd(1));
  EXPECT_EQ(ReasonOf(simulation, kFailed), kInterrupted);
  EXPECT_FALSE(IsTrue(simulation.run.status, kComplete));
  EXPECT_EQ(simulation.RepeatNamed("2").outcome, Outcome::kInterrupted);
  EXPECT_EQ(simulation.RepeatNamed("2").figures->samples_per_second, 80);
  EXPECT_EQ(simulation.run.status.summary->samples_per_second->succeeded, 1);
}

TEST(MakePlan, MarksRepeatsThatACancelledRunNeverReached) {
  Simulation simulation;
  simulation.Step();
  simulation.cancelled = true;
  ASSERT_TRUE(simulation.RunToEnd(1));
  EXPECT_TRUE(simulation.log.empty());
  for (const auto& repeat : simulation.run.status.repeats) {
    EXPECT_EQ(repeat.outcome, Outcome::kNotStarted) << repeat.name;
  }
}

TEST(MakePlan, CompletesIfEverythingWasDoneWhenItWasCancelled) {
  Simulation simulation;
  RunUntil(simulation, "demo-2-1", JobPhase::kRunning);
  simulation.cancelled = true;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(simulation.run.status.state, "Complete");
}

TEST(MakePlan, SuspendingDeletesTheJobAndResumingMakesANewAttempt) {
  Simulation simulation;
  RunUntil(simulation, "demo-1-1", JobPhase::kRunning);
  simulation.run.spec.suspend = true;
  ++simulation.run.generation;
  simulation.Settle();
  EXPECT_EQ(simulation.log.back(), "delete Job demo-1-1");
  EXPECT_EQ(simulation.run.status.state, "Suspended");
  EXPECT_FALSE(IsTrue(simulation.run.status, kReconciling));
  simulation.run.spec.suspend = false;
  ++simulation.run.generation;
  ASSERT_TRUE(simulation.RunToEnd());
  const api::RepeatStatus& repeat = simulation.RepeatNamed("1");
  ASSERT_EQ(repeat.attempts.size(), 2U);
  EXPECT_EQ(repeat.attempts[0].outcome, Outcome::kInterrupted);
  EXPECT_EQ(repeat.attempts[0].reason, kSuspended);
  EXPECT_EQ(repeat.outcome, Outcome::kSucceeded);
  EXPECT_THAT(simulation.EventReasons(), Contains(kResumed));
}

TEST(MakePlan, WaitsForTheSuspendedJobToGoBeforeItStartsAnother) {
  Simulation simulation;
  RunUntil(simulation, "demo-1-1", JobPhase::kRunning);
  simulation.run.spec.suspend = true;
  const Plan plan = MakePlan(simulation.Observe(), Settings{}, simulation.now);
  simulation.run.status = plan.status;  // written, but the job is still being deleted
  simulation.run.spec.suspend = false;
  const Plan resumed = MakePlan(simulation.Observe(), Settings{}, simulation.now);
  ASSERT_EQ(resumed.actions.size(), 1U);
  EXPECT_EQ(std::get<DeleteObject>(resumed.actions[0]).name, "demo-1-1");
}

TEST(MakePlan, StaysSuspendedFromTheStart) {
  Simulation simulation;
  simulation.run.spec.suspend = true;
  simulation.Settle();
  EXPECT_TRUE(simulation.log.empty());
  EXPECT_EQ(simulation.run.status.state, "Suspended");
}

TEST(MakePlan, CountsTheStartDeadlineFromScheduledAndTriesAgain) {
  Simulation simulation;
  simulation.run.spec.start_deadline_seconds = 10;
  simulation.fates["demo-1-1"] = Fate::kHangsPending;
  ASSERT_TRUE(simulation.RunToEnd());
  const api::AttemptStatus& attempt = simulation.RepeatNamed("1").attempts[0];
  EXPECT_EQ(attempt.outcome, Outcome::kNotStarted);
  EXPECT_EQ(attempt.reason, kStartDeadlineExceeded);
  EXPECT_EQ(attempt.message, "ImagePullBackOff");
  EXPECT_THAT(simulation.log, Contains("delete Job demo-1-1"));
  EXPECT_EQ(simulation.run.status.state, "Complete");
}

TEST(MakePlan, LooksAgainWhenTheNearestDeadlineEnds) {
  Simulation simulation;
  simulation.run.spec.start_deadline_seconds = 600;
  simulation.fates["demo-w1-1"] = Fate::kHangsPending;
  simulation.Settle();
  simulation.Tick();
  const base::WallTime scheduled = simulation.now;
  EXPECT_EQ(simulation.Step().look_again, scheduled + seconds(600));
}

TEST(MakePlan, NeverCountsWaitingForANodeUnlessAQueueDeadlineSaysSo) {
  Simulation simulation;
  simulation.run.spec.start_deadline_seconds = 1;
  simulation.run.spec.active_deadline_seconds = 10;
  simulation.fates["demo-w1-1"] = Fate::kHangsQueued;
  EXPECT_FALSE(simulation.RunToEnd(100));
  EXPECT_EQ(simulation.run.status.state, "Queued");
  simulation.run.spec.queue_deadline_seconds = 120;
  ASSERT_TRUE(simulation.RunToEnd(100));
  EXPECT_EQ(ReasonOf(simulation, kFailed), kQueueDeadlineExceeded);
  EXPECT_TRUE(simulation.jobs.empty());
}

TEST(MakePlan, StopsTheRunWhenItsActiveTimeIsUsedUp) {
  Simulation simulation;
  simulation.run.spec.active_deadline_seconds = 20;
  simulation.fates["demo-2-1"] = Fate::kHangsRunning;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(ReasonOf(simulation, kFailed), kDeadlineExceeded);
  EXPECT_THAT(FindCondition(simulation.run.status, kFailed)->message,
              HasSubstr("demo-2-1 was stopped when activeDeadlineSeconds (20) were used up"));
  EXPECT_EQ(simulation.RepeatNamed("1").outcome, Outcome::kSucceeded);
  EXPECT_EQ(simulation.RepeatNamed("2").outcome, Outcome::kFailed);
  EXPECT_EQ(simulation.log.back(), "delete Job demo-2-1");
}

TEST(MakePlan, SaysThatAJobWasDeletedUnderIt) {
  Simulation simulation;
  RunUntil(simulation, "demo-1-1", JobPhase::kRunning);
  simulation.jobs.erase("demo-1-1");
  ASSERT_TRUE(simulation.RunToEnd());
  const api::RepeatStatus& repeat = simulation.RepeatNamed("1");
  EXPECT_EQ(repeat.outcome, Outcome::kFailed);
  EXPECT_EQ(repeat.attempts[0].reason, kJobDeleted);
}

TEST(MakePlan, CreatesTheClaimBeforeAnyJob) {
  Simulation simulation;
  simulation.Step();  // accepted, as by a version that offers claim templates
  simulation.run.spec.storage.data.emplace().claim_template.emplace().size = {"10Gi"};
  simulation.Settle();
  EXPECT_THAT(simulation.log, ElementsAre("create PersistentVolumeClaim demo-data",
                                          "create ConfigMap demo-w1-1", "create Job demo-w1-1"));
}

TEST(MakePlan, DoesNothingForARunThatIsBeingDeleted) {
  Simulation simulation;
  simulation.run.deleting = true;
  EXPECT_TRUE(simulation.Step().actions.empty());
  EXPECT_TRUE(simulation.run.status.conditions.empty());
}

TEST(MakePlan, LooksAgainWhenAFinishedRunsTimeToLiveEnds) {
  Simulation simulation;
  simulation.run.spec.ttl_seconds_after_finished = 60;
  ASSERT_TRUE(simulation.RunToEnd());
  const Plan plan = simulation.Step();
  EXPECT_EQ(plan.look_again, base::ParseTime(*plan.status.completion_time).value() + seconds(60));
}

TEST(MakePlan, TakesAReportThatArrivesLate) {
  Simulation simulation;
  ASSERT_TRUE(simulation.RunToEnd());
  simulation.jobs["demo-2-1"].report = "demo-2-1-report";
  simulation.Step();
  EXPECT_EQ(simulation.RepeatNamed("2").attempts[0].report, "demo-2-1-report");
  EXPECT_EQ(simulation.run.status.state, "Complete");
}

TEST(MakePlan, MovesATransitionTimeOnlyWhenTheStatusChanges) {
  Simulation simulation;
  simulation.Step();
  const std::string first = FindCondition(simulation.run.status, kComplete)->last_transition_time;
  RunUntil(simulation, "demo-2-1", JobPhase::kRunning);
  EXPECT_EQ(FindCondition(simulation.run.status, kComplete)->last_transition_time, first);
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_NE(FindCondition(simulation.run.status, kComplete)->last_transition_time, first);
}

}  // namespace
}  // namespace fairlap::plan

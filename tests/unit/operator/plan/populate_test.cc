// Filling a claim before the first repeat, and objects that the cluster refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "operator/plan/conditions.h"
#include "operator/plan/plan.h"
#include "operator/plan/reasons.h"
#include "tests/unit/operator/plan/simulation.h"

namespace fairlap::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Populated : public testing::Test {
 protected:
  Populated() {
    simulation.run.spec.measurement.warmup_runs = 0;
    simulation.run.spec.problem.dataset.format = api::DatasetFormat::kImageFolder;
    auto& data = simulation.run.spec.storage.data.emplace();
    data.claim_template.emplace().size.text = "1Gi";
    data.populate.emplace().generate.emplace().images = 100;
  }
  const api::Condition& Condition(const char* type) {
    const api::Condition* found = FindCondition(simulation.run.status, type);
    EXPECT_NE(found, nullptr) << type;
    static const api::Condition kNone;
    return found != nullptr ? *found : kNone;
  }
  Simulation simulation;
};

TEST_F(Populated, FillsTheClaimOnceBeforeAnyRepeat) {
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_THAT(simulation.log,
              ElementsAre("create PersistentVolumeClaim demo-data", "create Job demo-populate",
                          "create ConfigMap demo-1-1", "create Job demo-1-1",
                          "create ConfigMap demo-2-1", "create Job demo-2-1"));
  EXPECT_EQ(Condition(kDataReady).reason, kPopulated);
}

TEST_F(Populated, IsNotAskedForAgainWhenItsJobIsGone) {
  for (int i = 0; i < 20 && !IsTrue(simulation.run.status, kDataReady); ++i) {
    simulation.Settle();
    simulation.Tick();
  }
  simulation.Settle();
  simulation.jobs.erase("demo-populate");
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(std::count(simulation.log.begin(), simulation.log.end(), "create Job demo-populate"),
            1);
  EXPECT_EQ(simulation.run.status.state, "Complete");
}

TEST_F(Populated, FailsTheRunWithTheJobsReasonIfItFails) {
  simulation.fates["demo-populate"] = Fate::kNeverStarts;
  ASSERT_TRUE(simulation.RunToEnd());
  EXPECT_EQ(Condition(kFailed).reason, kPopulateFailed);
  EXPECT_THAT(Condition(kDataReady).message, HasSubstr("UnexpectedAdmissionError"));
  for (const auto& repeat : simulation.run.status.repeats) {
    EXPECT_EQ(repeat.outcome, api::Outcome::kNotStarted);
  }
}

TEST_F(Populated, SaysWhatItWaitsFor) {
  simulation.fates["demo-populate"] = Fate::kHangsPending;
  for (int i = 0; i < 5; ++i) {
    simulation.Settle();
    simulation.Tick();
  }
  simulation.Settle();
  EXPECT_EQ(Condition(kRunning).reason, kPopulating);
  EXPECT_THAT(Condition(kRunning).message, HasSubstr("ImagePullBackOff"));
}

TEST(MakePlan, StopsWhereAnotherObjectHasAName) {
  Simulation simulation;
  simulation.Settle();
  Observed observed = simulation.Observe();
  observed.foreign = "ConfigMap demo-w1-1";
  const Plan plan = MakePlan(observed, Settings{}, simulation.now);
  EXPECT_EQ(FindCondition(plan.status, kFailed)->reason, kNameConflict);
  EXPECT_THAT(FindCondition(plan.status, kFailed)->message,
              HasSubstr("ConfigMap demo-w1-1 exists and does not belong to this run"));
}

TEST(MakePlan, KeepsTryingWhatAQuotaRefusesAndSaysSo) {
  Simulation simulation;
  simulation.Step();
  Observed observed = simulation.Observe();
  observed.refusal = Refusal{"jobs.batch is forbidden: exceeded quota", false};
  const Plan plan = MakePlan(observed, Settings{}, simulation.now);
  EXPECT_EQ(plan.actions.size(), 2U);
  const api::Condition* running = FindCondition(plan.status, kRunning);
  EXPECT_EQ(running->reason, kCreateRefused);
  EXPECT_THAT(running->message, HasSubstr("exceeded quota"));
  EXPECT_FALSE(IsFinished(plan.status));
}

TEST(MakePlan, FailsWhereTheServerCallsAnObjectInvalid) {
  Simulation simulation;
  simulation.Step();
  Observed observed = simulation.Observe();
  observed.refusal = Refusal{"Job is invalid: spec.template: too long", true};
  const Plan plan = MakePlan(observed, Settings{}, simulation.now);
  EXPECT_EQ(FindCondition(plan.status, kFailed)->reason, kCreateRefused);
}

}  // namespace
}  // namespace fairlap::plan

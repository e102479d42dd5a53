// Whoever plans again after a crash, from any point, comes to the same end.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "tests/unit/operator/plan/simulation.h"

namespace fairlap::plan {
namespace {

// How one repeat goes, over its attempts.
enum class Course { kSucceeds, kFails, kStartsLate, kNeverStarts, kLosesFigures };
constexpr std::array kCourses = {Course::kSucceeds, Course::kFails, Course::kStartsLate,
                                 Course::kNeverStarts, Course::kLosesFigures};

void SetCourse(const std::string& repeat, Course course, Simulation& simulation) {
  const std::string job = "demo-" + repeat + "-";
  switch (course) {
    case Course::kSucceeds: break;
    case Course::kFails: simulation.fates[job + "1"] = Fate::kFails; break;
    case Course::kLosesFigures: simulation.fates[job + "1"] = Fate::kLeavesCutMessage; break;
    case Course::kStartsLate: simulation.fates[job + "1"] = Fate::kNeverStarts; break;
    case Course::kNeverStarts:
      for (int i = 1; i <= 5; ++i) simulation.fates[job + std::to_string(i)] = Fate::kNeverStarts;
  }
}

bool Measures(Course course) {
  return course == Course::kSucceeds || course == Course::kStartsLate ||
         course == Course::kLosesFigures;
}

Simulation MakeSimulation(Course warmup, Course first, Course second) {
  Simulation simulation;
  SetCourse("w1", warmup, simulation);
  SetCourse("1", first, simulation);
  SetCourse("2", second, simulation);
  return simulation;
}

TEST(EveryCourse, EndsCompleteExactlyIfACountedRepeatSucceeded) {
  for (const Course warmup : {Course::kSucceeds, Course::kFails, Course::kNeverStarts}) {
    for (const Course first : kCourses) {
      for (const Course second : kCourses) {
        Simulation simulation = MakeSimulation(warmup, first, second);
        ASSERT_TRUE(simulation.RunToEnd());
        EXPECT_EQ(simulation.run.status.state == "Complete", Measures(first) || Measures(second));
        EXPECT_EQ(simulation.UnfinishedJobs(), 0);
      }
    }
  }
}

TEST(EveryCourse, EndsTheSameAfterACrashBeforeAnyEffect) {
  for (const Course course : kCourses) {
    Simulation undisturbed = MakeSimulation(Course::kSucceeds, course, Course::kFails);
    ASSERT_TRUE(undisturbed.RunToEnd());
    for (int64_t crash = 0; crash < undisturbed.effects; ++crash) {
      Simulation simulation = MakeSimulation(Course::kSucceeds, course, Course::kFails);
      simulation.crash_after = crash;
      ASSERT_TRUE(simulation.RunToEnd());
      ASSERT_EQ(ToText(simulation.run.status), ToText(undisturbed.run.status)) << crash;
    }
  }
}

TEST(Restart, EndsTheSameWhenSuspendedAndResumedAroundACrash) {
  const auto run = [](std::optional<int64_t> crash) {
    Simulation simulation;
    for (int i = 0; i < 6; ++i) {
      simulation.Settle();
      simulation.Tick();
    }
    simulation.run.spec.suspend = true;
    if (crash) simulation.crash_after = simulation.effects + *crash;
    simulation.Settle();
    simulation.Tick();
    simulation.run.spec.suspend = false;
    EXPECT_TRUE(simulation.RunToEnd());
    return ToText(simulation.run.status);
  };
  const std::string undisturbed = run(std::nullopt);
  for (int64_t crash = 0; crash < 20; ++crash) EXPECT_EQ(run(crash), undisturbed) << crash;
}

TEST(Restart, SurvivesASuspensionAtAnyMoment) {
  for (int moment = 0; moment < 14; ++moment) {
    Simulation simulation;
    for (int i = 0; i < moment; ++i) {
      simulation.Settle();
      simulation.Tick();
    }
    simulation.run.spec.suspend = true;
    simulation.Settle();
    EXPECT_EQ(simulation.UnfinishedJobs(), 0) << moment;
    simulation.run.spec.suspend = false;
    ASSERT_TRUE(simulation.RunToEnd()) << moment;
    EXPECT_EQ(simulation.run.status.state, "Complete") << moment;
    EXPECT_EQ(simulation.run.status.summary->samples_per_second->succeeded, 2) << moment;
  }
}

TEST(Restart, EndsWhenCancelledAtAnyMoment) {
  for (int moment = 0; moment < 20; ++moment) {
    Simulation simulation;
    for (int i = 0; i < moment; ++i) {
      simulation.Settle();
      simulation.Tick();
    }
    simulation.Settle();
    const size_t created = simulation.log.size();
    simulation.cancelled = true;
    ASSERT_TRUE(simulation.RunToEnd()) << moment;
    EXPECT_EQ(simulation.log.size(), created) << "something was started after the cancellation";
    for (const auto& repeat : simulation.run.status.repeats) {
      EXPECT_NE(repeat.outcome, api::Outcome::kPending) << moment;
    }
  }
}

TEST(Restart, CreatesTheSameAgainWhileItsCreationIsNotSeenYet) {
  Simulation simulation;
  simulation.Step();
  const Plan first = simulation.Step();
  simulation.jobs.clear();  // a cache that lags behind
  const Plan second = MakePlan(simulation.Observe(), Settings{}, simulation.now);
  ASSERT_EQ(second.actions.size(), 1U);
  EXPECT_EQ(std::get<CreateObject>(second.actions[0]).object,
            std::get<CreateObject>(first.actions[1]).object);
  EXPECT_TRUE(second.events.empty());
  EXPECT_EQ(ToText(second.status), ToText(first.status));
}

TEST(Restart, ChangesNothingWhenOnlyTimePasses) {
  Simulation simulation;
  for (int i = 0; i < 6; ++i) {
    simulation.Settle();
    const Plan later =
        MakePlan(simulation.Observe(), Settings{}, simulation.now + std::chrono::minutes(5));
    EXPECT_EQ(ToText(later.status), ToText(simulation.run.status));
    EXPECT_TRUE(later.events.empty());
    simulation.Tick();
  }
}

}  // namespace
}  // namespace fairlap::plan

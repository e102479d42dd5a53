#include "operator/plan/marks.h"

#include <gtest/gtest.h>

namespace fairlap::plan {
namespace {

api::ClockMarks Marks() {
  api::ClockMarks marks;
  marks.job_created = "2026-03-01T12:00:00Z";
  marks.scheduled = "2026-03-01T12:10:00Z";  // ten minutes in the queue
  marks.container_started = "2026-03-01T12:10:05Z";
  marks.first_step = "2026-03-01T12:10:20.5Z";
  marks.finished = "2026-03-01T12:40:00Z";
  return marks;
}

TEST(AddTimes, LeavesOutWaitingAndCachePreparation) {
  api::RepeatFigures figures;
  figures.stage_seconds.cache_prepare = 2;
  AddTimes(Marks(), figures);
  EXPECT_DOUBLE_EQ(figures.time_to_first_result_seconds.value(), 18.5);
  EXPECT_DOUBLE_EQ(figures.time_to_results_seconds.value(), 1798);
}

TEST(AddTimes, SaysNothingOfAMarkThatWasNotObserved) {
  api::ClockMarks marks = Marks();
  marks.first_step.reset();
  api::RepeatFigures figures;
  figures.time_to_first_result_seconds = 1;  // a worker cannot know it
  AddTimes(marks, figures);
  EXPECT_FALSE(figures.time_to_first_result_seconds.has_value());
  EXPECT_TRUE(figures.time_to_results_seconds.has_value());
}

TEST(AddTimes, SaysNothingIfClocksDisagreeBelowZero) {
  api::ClockMarks marks = Marks();
  marks.first_step = "2026-03-01T12:09:59Z";
  api::RepeatFigures figures;
  AddTimes(marks, figures);
  EXPECT_FALSE(figures.time_to_first_result_seconds.has_value());
}

TEST(Cost, CountsFromTheBoundPodToItsEndOnEveryNode) {
  api::ComputeSpec compute;
  compute.price_per_hour = api::Decimal{"3.00"};
  compute.nodes = 2;
  EXPECT_DOUBLE_EQ(Cost(compute, Marks()).value(), 3.0);  // half an hour on two nodes
}

TEST(Cost, IsAbsentWithoutAPrice) { EXPECT_FALSE(Cost({}, Marks()).has_value()); }

TEST(MergeWorkerMarks, KeepsWhatTheJobShowed) {
  api::ClockMarks worker;
  worker.container_started = "2026-03-01T12:10:06Z";
  worker.model_ready = "2026-03-01T12:10:10Z";
  api::ClockMarks marks = Marks();
  EXPECT_TRUE(MergeWorkerMarks(worker, marks));
  EXPECT_EQ(marks.container_started, "2026-03-01T12:10:05Z");
  EXPECT_EQ(marks.model_ready, "2026-03-01T12:10:10Z");
}

TEST(MergeWorkerMarks, RefusesTextsThatAreNoTimes) {
  api::ClockMarks worker;
  worker.model_ready = "yesterday, in the evening";
  api::ClockMarks marks;
  EXPECT_FALSE(MergeWorkerMarks(worker, marks));
  EXPECT_FALSE(marks.model_ready.has_value());
}

}  // namespace
}  // namespace fairlap::plan

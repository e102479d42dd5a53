#include "operator/plan/marks.h"

#include <chrono>

#include "lib/base/clock.h"

namespace fairlap::plan {
namespace {

using Mark = std::optional<std::string>;

void Take(const std::optional<base::WallTime>& time, Mark& mark) {
  if (time) mark = base::FormatTime(*time);
}

bool Fill(const Mark& from, Mark& mark) {
  if (!from) return true;
  if (!base::ParseTime(*from)) return false;
  if (!mark) mark = from;
  return true;
}

std::optional<double> NotNegative(std::optional<double> seconds) {
  return seconds && *seconds >= 0 ? seconds : std::nullopt;
}

std::optional<double> WithoutWaiting(const api::ClockMarks& marks, const Mark& end,
                                     double cache_prepare_seconds) {
  const auto total = SecondsBetween(marks.job_created, end);
  if (!total) return std::nullopt;
  const double waited = SecondsBetween(marks.job_created, marks.scheduled).value_or(0);
  return NotNegative(*total - waited - cache_prepare_seconds);
}

}  // namespace

void MergeJobTimes(const ObservedJob& job, api::ClockMarks& marks) {
  Take(job.created, marks.job_created);
  Take(job.admitted, marks.admitted);
  Take(job.scheduled, marks.scheduled);
  Take(job.image_ready, marks.image_ready);
  Take(job.container_started, marks.container_started);
  Take(job.finished, marks.finished);
}

bool MergeWorkerMarks(const api::ClockMarks& worker, api::ClockMarks& marks) {
  bool all_read = true;
  for (const auto mark : {&api::ClockMarks::container_started, &api::ClockMarks::staging_done,
                          &api::ClockMarks::cache_prepared, &api::ClockMarks::data_indexed,
                          &api::ClockMarks::model_ready, &api::ClockMarks::first_batch,
                          &api::ClockMarks::first_step, &api::ClockMarks::first_evaluation,
                          &api::ClockMarks::target_reached, &api::ClockMarks::finished}) {
    if (!Fill(worker.*mark, marks.*mark)) all_read = false;
  }
  return all_read;
}

std::optional<double> SecondsBetween(const Mark& from, const Mark& to) {
  if (!from || !to) return std::nullopt;
  const auto begin = base::ParseTime(*from);
  const auto end = base::ParseTime(*to);
  if (!begin || !end) return std::nullopt;
  return std::chrono::duration_cast<base::Seconds>(*end - *begin).count();
}

void AddTimes(const api::ClockMarks& marks, api::RepeatFigures& figures) {
  const double prepared = figures.stage_seconds.cache_prepare.value_or(0);
  figures.time_to_first_result_seconds = WithoutWaiting(marks, marks.first_step, prepared);
  figures.time_to_results_seconds = WithoutWaiting(marks, marks.finished, prepared);
}

std::optional<double> Cost(const api::ComputeSpec& compute, const api::ClockMarks& marks) {
  if (!compute.price_per_hour) return std::nullopt;
  const Mark& bound = marks.scheduled ? marks.scheduled : marks.container_started;
  const auto held = NotNegative(SecondsBetween(bound, marks.finished));
  if (!held) return std::nullopt;
  constexpr double kSecondsPerHour = 3600;
  return compute.price_per_hour->Value() * *held / kSecondsPerHour *
         static_cast<double>(compute.nodes);
}

}  // namespace fairlap::plan

#include "operator/plan/deadlines.h"

#include <chrono>

#include "operator/plan/attempts.h"
#include "operator/plan/marks.h"
#include "operator/plan/reasons.h"

namespace fairlap::plan {
namespace {

std::optional<base::WallTime> After(const std::optional<std::string>& mark, double seconds) {
  if (!mark) return std::nullopt;
  const auto time = base::ParseTime(*mark);
  if (!time) return std::nullopt;
  return *time + std::chrono::duration_cast<base::WallTime::duration>(base::Seconds(seconds));
}

// Seconds in started containers of attempts that are over.
double UsedSeconds(const api::RunStatus& status) {
  double used = 0;
  for (const api::RepeatStatus& repeat : status.repeats) {
    for (const api::AttemptStatus& attempt : repeat.attempts) {
      if (!IsOver(attempt.outcome)) continue;
      used += SecondsBetween(attempt.marks.container_started, attempt.marks.finished).value_or(0);
    }
  }
  return used;
}

std::optional<Deadline> Make(std::optional<base::WallTime> at, const char* reason, bool ends_run,
                             api::Outcome outcome, const char* field, int64_t seconds) {
  if (!at) return std::nullopt;
  return Deadline{*at, reason, ends_run, outcome,
                  std::string(field) + " (" + std::to_string(seconds) + ")"};
}

}  // namespace

std::optional<Deadline> NextDeadline(const api::RunSpec& spec, const api::RunStatus& status,
                                     const api::AttemptStatus* active) {
  if (active == nullptr) return std::nullopt;
  const api::ClockMarks& marks = active->marks;
  if (marks.container_started) {
    const double left = static_cast<double>(spec.active_deadline_seconds) - UsedSeconds(status);
    return Make(After(marks.container_started, left), kDeadlineExceeded, true,
                api::Outcome::kFailed, "activeDeadlineSeconds", spec.active_deadline_seconds);
  }
  if (marks.scheduled) {
    return Make(After(marks.scheduled, static_cast<double>(spec.start_deadline_seconds)),
                kStartDeadlineExceeded, false, api::Outcome::kNotStarted, "startDeadlineSeconds",
                spec.start_deadline_seconds);
  }
  if (!spec.queue_deadline_seconds) return std::nullopt;
  return Make(After(marks.job_created, static_cast<double>(*spec.queue_deadline_seconds)),
              kQueueDeadlineExceeded, true, api::Outcome::kNotStarted, "queueDeadlineSeconds",
              *spec.queue_deadline_seconds);
}

bool ActiveTimeIsUsedUp(const api::RunSpec& spec, const api::RunStatus& status) {
  return UsedSeconds(status) >= static_cast<double>(spec.active_deadline_seconds);
}

}  // namespace fairlap::plan

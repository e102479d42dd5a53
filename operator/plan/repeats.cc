#include "operator/plan/repeats.h"

#include <algorithm>
#include <utility>

#include "lib/api/names.h"
#include "operator/plan/attempts.h"
#include "operator/plan/reasons.h"
#include "operator/plan/text.h"

namespace fairlap::plan {
namespace {

// A job that was there and is not any more was deleted by someone else.
void EndVanishedAttempt(api::AttemptStatus& attempt) {
  const bool started = attempt.marks.container_started.has_value();
  EndAttempt(started ? api::Outcome::kFailed : api::Outcome::kNotStarted, kJobDeleted,
             "the job was deleted before it finished", attempt);
  if (started) attempt.lost = {"figures: the job was deleted before it finished"};
}

void FollowAttempt(const Observed& observed, api::RepeatStatus& repeat,
                   api::AttemptStatus& attempt) {
  const ObservedJob* job = FindJob(observed, attempt.job);
  if (job != nullptr) {
    if (auto figures = ObserveAttempt(*job, observed.run.spec.compute, attempt)) {
      repeat.figures = std::move(figures);
    }
  } else if (WasSeen(attempt)) {
    EndVanishedAttempt(attempt);
  }
}

void AddLost(const std::string& what, api::AttemptStatus& attempt) {
  const std::string text = Cut(what, kMaxLostBytes);
  if (std::find(attempt.lost.begin(), attempt.lost.end(), text) != attempt.lost.end()) return;
  if (attempt.lost.size() < kMaxLost) attempt.lost.push_back(text);
}

bool NeedsAnotherAttempt(const api::RepeatStatus& repeat) {
  if (repeat.attempts.empty()) return true;
  const api::Outcome last = repeat.attempts.back().outcome;
  const bool may_run_again =
      last == api::Outcome::kNotStarted || last == api::Outcome::kInterrupted;
  return may_run_again && static_cast<int64_t>(repeat.attempts.size()) < kMaxAttempts;
}

void UpdateReport(const Observed& observed, api::RepeatStatus& repeat) {
  for (api::AttemptStatus& attempt : repeat.attempts) {
    const ObservedJob* job = FindJob(observed, attempt.job);
    if (job == nullptr || attempt.report) continue;
    attempt.report = job->report;
    if (!job->report_problem.empty()) AddLost("report: " + job->report_problem, attempt);
  }
}

// Follows the attempts of one repeat as far as the jobs go; true if the repeat is over.
bool FollowRepeat(const Observed& observed, size_t position, api::RepeatStatus& repeat,
                  Course& course) {
  while (true) {
    if (NeedsAnotherAttempt(repeat)) {
      const auto attempt = static_cast<int64_t>(repeat.attempts.size()) + 1;
      const std::string name = api::JobName(observed.run.name, repeat.name, attempt);
      if (FindJob(observed, name) == nullptr) {
        repeat.outcome = api::Outcome::kPending;
        course.next = position;
        return false;
      }
      AddAttempt(observed.run.name, repeat);
    }
    api::AttemptStatus& attempt = repeat.attempts.back();
    const ObservedJob* job = FindJob(observed, attempt.job);
    if (job != nullptr && !job->owned) {
      course.foreign_job = job->name;
      return false;
    }
    if (!IsOver(attempt.outcome)) FollowAttempt(observed, repeat, attempt);
    repeat.outcome = attempt.outcome;
    if (!IsOver(attempt.outcome)) {
      course.active = position;
      return false;
    }
    if (!NeedsAnotherAttempt(repeat)) return true;
  }
}

}  // namespace

void ListRepeats(const api::MeasurementSpec& measurement, int64_t run_seed,
                 api::RunStatus& status) {
  status.repeats.clear();
  for (const std::string& name : api::RepeatNames(measurement)) {
    const auto position = static_cast<int64_t>(status.repeats.size());
    api::RepeatStatus& repeat = status.repeats.emplace_back();
    repeat.name = name;
    repeat.warmup = position < measurement.warmup_runs;
    repeat.seed = api::RepeatSeed(run_seed, position);
  }
}

Course FollowRepeats(const Observed& observed, api::RunStatus& status) {
  Course course;
  for (size_t position = 0; position < status.repeats.size(); ++position) {
    api::RepeatStatus& repeat = status.repeats[position];
    const bool over = IsOver(repeat.outcome) || FollowRepeat(observed, position, repeat, course);
    UpdateReport(observed, repeat);
    if (!over) break;
  }
  return course;
}

api::AttemptStatus* LastAttempt(api::RepeatStatus& repeat) {
  return repeat.attempts.empty() ? nullptr : &repeat.attempts.back();
}

const api::AttemptStatus* LastAttempt(const api::RepeatStatus& repeat) {
  return repeat.attempts.empty() ? nullptr : &repeat.attempts.back();
}

const ObservedJob* FindJob(const Observed& observed, const std::string& name) {
  for (const ObservedJob& job : observed.jobs) {
    if (job.name == name) return &job;
  }
  return nullptr;
}

api::AttemptStatus& AddAttempt(const std::string& run, api::RepeatStatus& repeat) {
  const auto number = static_cast<int64_t>(repeat.attempts.size()) + 1;
  api::AttemptStatus& attempt = repeat.attempts.emplace_back();
  attempt.attempt = number;
  attempt.job = api::JobName(run, repeat.name, number);
  repeat.figures.reset();  // those of the attempt before do not count
  return attempt;
}

void EndOpenRepeats(api::Outcome outcome, const std::string& reason, api::RunStatus& status) {
  for (api::RepeatStatus& repeat : status.repeats) {
    if (IsOver(repeat.outcome)) continue;
    api::AttemptStatus* attempt = LastAttempt(repeat);
    if (attempt != nullptr && !IsOver(attempt->outcome)) EndAttempt(outcome, reason, "", *attempt);
    repeat.outcome = attempt != nullptr ? attempt->outcome : api::Outcome::kNotStarted;
  }
}

}  // namespace fairlap::plan

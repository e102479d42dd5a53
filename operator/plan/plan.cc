#include "operator/plan/plan.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "lib/api/availability.h"
#include "lib/api/names.h"
#include "lib/api/rules.h"
#include "operator/plan/attempts.h"
#include "operator/plan/conditions.h"
#include "operator/plan/deadlines.h"
#include "operator/plan/events.h"
#include "operator/plan/objects.h"
#include "operator/plan/progress.h"
#include "operator/plan/reasons.h"
#include "operator/plan/repeats.h"
#include "operator/plan/summary.h"
#include "operator/plan/text.h"

namespace fairlap::plan {
namespace {

using api::ConditionStatus;

// One call of MakePlan at work.
class Planner {
 public:
  Planner(const Observed& observed, const Settings& settings, base::WallTime now, Plan& plan)
      : observed_(observed),
        spec_(observed.run.spec),
        settings_(settings),
        now_(now),
        plan_(plan),
        status_(plan.status),
        conditions_(plan.status, observed.run.generation, now) {}

  void Decide() {
    status_.observed_generation = observed_.run.generation;
    if (status_.conditions.empty()) {
      Accept();
    } else if (IsFinished(status_)) {
      FollowRepeats(observed_, status_);  // a report may still arrive
    } else {
      Continue();
    }
    DeleteLeftoverJobs();
    if (!status_.repeats.empty()) UpdateFigures();
    status_.state = StateOf(status_);
  }

 private:
  // The first visit creates nothing: a drawn seed is recorded before anything depends on it.
  void Accept() {
    status_.start_time = base::FormatTime(observed_.run.created);
    if (Refuse(api::CheckRules(spec_), kInvalidSpec)) return;
    if (Refuse(api::CheckAvailability(spec_), kNotAvailable)) return;
    status_.seed = spec_.measurement.seed.value_or(observed_.fresh_seed);
    ListRepeats(spec_.measurement, *status_.seed, status_);
    conditions_.Set(kAccepted, {ConditionStatus::kTrue, kSpecAccepted, "the spec can be run"});
    Wait(kNothingStarted, "no job was created yet");
    plan_.look_again = now_;
  }

  bool Refuse(const base::Problems& problems, const char* reason) {
    if (problems.empty()) return false;
    std::vector<std::string> texts;
    for (const base::Problem& problem : problems) {
      texts.push_back(problem.path + ": " + problem.message);
    }
    conditions_.Set(kAccepted, {ConditionStatus::kFalse, reason, Join(texts, "; ")});
    Fail(reason, Join(texts, "; "));
    return true;
  }

  void Continue() {
    Course course = FollowRepeats(observed_, status_);
    if (course.active && EndAttemptEarly(*course.active)) {
      course = FollowRepeats(observed_, status_);
    }
    if (IsFinished(status_)) return;
    if (course.foreign_job) {
      StopForForeign("job " + *course.foreign_job);
    } else if (observed_.foreign) {
      StopForForeign(*observed_.foreign);
    } else if (observed_.refusal && observed_.refusal->final) {
      Stop(api::Outcome::kNotStarted, kCreateRefused, observed_.refusal->message);
    } else if (course.active) {
      Attend(*course.active);
    } else if (course.next) {
      StartNext(*course.next);
    } else {
      Judge();
    }
  }

  void StopForForeign(const std::string& object) {
    Stop(api::Outcome::kNotStarted, kNameConflict,
         object + " exists and does not belong to this run");
  }

  // True if the attempt that goes on was ended, so that its repeat may need another one.
  bool EndAttemptEarly(size_t position) {
    api::RepeatStatus& repeat = status_.repeats[position];
    api::AttemptStatus& attempt = *LastAttempt(repeat);
    if (spec_.suspend) {
      EndAttempt(api::Outcome::kInterrupted, kSuspended, "", attempt);
      return true;
    }
    if (observed_.cancelled && !WasSeen(attempt)) {
      EndAttempt(api::Outcome::kInterrupted, kInterrupted, "", attempt);
      return true;
    }
    return EndOverdueAttempt(repeat, attempt);
  }

  bool EndOverdueAttempt(api::RepeatStatus& repeat, api::AttemptStatus& attempt) {
    const auto deadline = NextDeadline(spec_, status_, &attempt);
    if (!deadline) return false;
    if (now_ < deadline->at) {
      plan_.look_again = deadline->at;
      return false;
    }
    const std::string why = Reasons(attempt);
    EndAttempt(deadline->outcome, deadline->reason, why, attempt);
    if (deadline->ends_run) {
      repeat.outcome = deadline->outcome;
      Stop(api::Outcome::kNotStarted, deadline->reason.c_str(),
           "job " + attempt.job + " was stopped when " + deadline->limit + " were used up" +
               (why.empty() ? "" : ": " + why));
    }
    return true;
  }

  // A job is there or on its way.
  void Attend(size_t position) {
    const api::RepeatStatus& repeat = status_.repeats[position];
    const api::AttemptStatus& attempt = *LastAttempt(repeat);
    if (WasSeen(attempt)) {
      ReportAttempt(repeat, attempt);
    } else {
      CreateObjects(position, attempt.attempt);
    }
  }

  void ReportAttempt(const api::RepeatStatus& repeat, const api::AttemptStatus& attempt) {
    std::string what = "repeat " + repeat.name + ", job " + attempt.job;
    if (attempt.outcome == api::Outcome::kRunning) {
      if (!attempt.nodes.empty()) what += " on " + Join(attempt.nodes);
      const char* reason = observed_.cancelled ? kStoppingJob : kRepeatRunning;
      conditions_.Set(kRunning, {ConditionStatus::kTrue, reason, what});
      ReportAnswers();
      Progress(reason);
      return;
    }
    const std::string why = Reasons(attempt);
    if (!why.empty()) what += ": " + why;
    if (observed_.cancelled) return Wait(kStoppingJob, what);
    Wait(attempt.marks.scheduled ? kStarting : kQueued, what);
  }

  void ReportAnswers() {
    if (observed_.progress) {
      conditions_.Set(kProgressAvailable,
                      {ConditionStatus::kTrue, kWorkerAnswers, "the worker tells its progress"});
    } else if (!observed_.progress_problem.empty()) {
      conditions_.Set(kProgressAvailable,
                      {ConditionStatus::kFalse, kWorkerSilent, observed_.progress_problem});
    }
  }

  void StartNext(size_t position) {
    if (observed_.cancelled) {
      Stop(api::Outcome::kInterrupted, kInterrupted, "the run was stopped by its user");
    } else if (spec_.suspend) {
      Wait(kSuspended, "spec.suspend is true");
    } else if (HasLeftoverJob()) {
      Wait(kStoppingJob, "the job of the attempt before is being deleted");
    } else if (ActiveTimeIsUsedUp(spec_, status_)) {
      Stop(api::Outcome::kNotStarted, kDeadlineExceeded, "activeDeadlineSeconds are used up");
    } else if (NeedsPopulating(spec_) && !IsTrue(status_, kDataReady)) {
      Populate(position);
    } else {
      Start(position);
    }
  }

  void Start(size_t position) {
    const api::AttemptStatus& attempt = AddAttempt(observed_.run.name, status_.repeats[position]);
    CreateObjects(position, attempt.attempt);
  }

  // Fills the run's own claim, once, before its first repeat.
  void Populate(size_t first_repeat) {
    const std::string name = api::PopulateJobName(observed_.run.name);
    const ObservedJob* job = FindJob(observed_, name);
    if (job == nullptr) {
      CreateClaim(observed_.run);
      plan_.actions.push_back(CreateObject{MakePopulateJob(observed_.run, settings_)});
      return WaitForData("job " + name + " is being created");
    }
    if (!job->owned) return StopForForeign("job " + name);
    const std::string why = job->message.empty() ? job->reason : job->message;
    if (job->phase == JobPhase::kFailed) {
      const std::string message = "job " + name + ": " + why;
      conditions_.Set(kDataReady, {ConditionStatus::kFalse, kPopulateFailed, message});
      return Stop(api::Outcome::kNotStarted, kPopulateFailed, message);
    }
    if (job->phase != JobPhase::kSucceeded) {
      return WaitForData("job " + name + (why.empty() ? "" : ": " + why));
    }
    conditions_.Set(kDataReady,
                    {ConditionStatus::kTrue, kPopulated,
                     "claim " + ClaimName(observed_.run.name) + " was filled by job " + name});
    Start(first_repeat);
  }

  void WaitForData(const std::string& message) {
    conditions_.Set(kDataReady, {ConditionStatus::kFalse, kPopulating, message});
    WaitOrExplain(kPopulating, message);
  }

  void CreateClaim(const ObservedRun& run) {
    const auto& data = run.spec.storage.data;
    if (data && data->claim_template && !observed_.claims.contains(ClaimName(run.name))) {
      plan_.actions.push_back(CreateObject{MakeClaim(run)});
    }
  }

  void CreateObjects(size_t position, int64_t attempt) {
    ObservedRun run = observed_.run;
    run.status = status_;
    const api::RepeatStatus& status = status_.repeats[position];
    const Repeat repeat{status.name, status.warmup, static_cast<int64_t>(position), attempt,
                        status.seed};
    CreateClaim(run);
    const std::string job = api::JobName(run.name, repeat.name, attempt);
    if (!observed_.config_maps.contains(job)) {
      plan_.actions.push_back(CreateObject{MakeConfigMap(run, repeat)});
    }
    plan_.actions.push_back(CreateObject{MakeJob(run, repeat, settings_)});
    WaitOrExplain(kCreatingJob, "repeat " + repeat.name + ", job " + job);
  }

  // What was asked for may have been refused before.
  void WaitOrExplain(const char* reason, const std::string& message) {
    if (!observed_.refusal) return Wait(reason, message);
    Wait(kCreateRefused, message + ": " + observed_.refusal->message);
  }

  // Every repeat is over.
  void Judge() {
    int64_t counted = 0;
    int64_t succeeded = 0;
    for (const api::RepeatStatus& repeat : status_.repeats) {
      if (repeat.warmup) continue;
      ++counted;
      if (repeat.outcome == api::Outcome::kSucceeded) ++succeeded;
    }
    const std::string tally =
        std::to_string(succeeded) + " of " + std::to_string(counted) + " repeats succeeded";
    if (succeeded == 0)
      return Fail(kRepeatsFailed, tally + "; first failure: " + FirstFailure(status_));
    conditions_.Set(kComplete, {ConditionStatus::kTrue, kRepeatsSucceeded, tally});
    conditions_.Set(kFailed, {ConditionStatus::kFalse, kRepeatsSucceeded, tally});
    Finish(ConditionStatus::kFalse, kRepeatsSucceeded, tally);
  }

  // Ends the run before its repeats are over; what was measured so far is kept.
  void Stop(api::Outcome open, const char* reason, const std::string& message) {
    EndOpenRepeats(open, reason, status_);
    Fail(reason, message);
  }

  void Fail(const char* reason, const std::string& message) {
    const api::Condition* data = FindCondition(status_, kDataReady);
    if (data != nullptr && data->reason == kPopulating) {
      conditions_.Set(kDataReady, {ConditionStatus::kFalse, reason, message});
    }
    conditions_.Set(kComplete, {ConditionStatus::kFalse, reason, message});
    conditions_.Set(kFailed, {ConditionStatus::kTrue, reason, message});
    Finish(ConditionStatus::kTrue, reason, message);
  }

  void Finish(ConditionStatus stalled, const char* reason, const std::string& message) {
    conditions_.Set(kRunning, {ConditionStatus::kFalse, kFinished, message});
    conditions_.Set(kReconciling, {ConditionStatus::kFalse, kFinished, message});
    conditions_.Set(kStalled, {stalled, reason, message});
    if (FindCondition(status_, kProgressAvailable) != nullptr) {
      conditions_.Set(kProgressAvailable, {ConditionStatus::kFalse, kFinished, "no worker runs"});
    }
    status_.completion_time = base::FormatTime(now_);
    plan_.look_again.reset();
  }

  void Wait(const char* reason, const std::string& message) {
    conditions_.Set(kRunning, {ConditionStatus::kFalse, reason, message});
    Progress(reason);
  }

  void Progress(const char* reason) {
    const std::string message = "the run is not finished";
    conditions_.Set(kComplete, {ConditionStatus::kFalse, kInProgress, message});
    conditions_.Set(kFailed, {ConditionStatus::kFalse, kInProgress, message});
    const bool rests = reason == std::string_view(kSuspended);
    conditions_.Set(kReconciling,
                    {rests ? ConditionStatus::kFalse : ConditionStatus::kTrue, reason, message});
    conditions_.Set(kStalled, {ConditionStatus::kFalse, kProgressing, message});
  }

  // Ours, still at work, although its attempt is over: suspended, overdue or given up.
  bool IsLeftover(const ObservedJob& job) const {
    if (!job.owned || job.phase == JobPhase::kSucceeded || job.phase == JobPhase::kFailed) {
      return false;
    }
    for (const api::RepeatStatus& repeat : status_.repeats) {
      for (const api::AttemptStatus& attempt : repeat.attempts) {
        if (attempt.job == job.name) return IsOver(attempt.outcome);
      }
    }
    return false;
  }

  bool HasLeftoverJob() const {
    return std::any_of(observed_.jobs.begin(), observed_.jobs.end(),
                       [this](const ObservedJob& job) { return IsLeftover(job); });
  }

  void DeleteLeftoverJobs() {
    for (const ObservedJob& job : observed_.jobs) {
      if (IsLeftover(job)) plan_.actions.push_back(DeleteObject{"Job", job.name, job.uid});
    }
  }

  void UpdateFigures() {
    std::optional<size_t> active;
    for (size_t i = 0; i < status_.repeats.size(); ++i) {
      const api::AttemptStatus* attempt = LastAttempt(status_.repeats[i]);
      if (attempt != nullptr && attempt->outcome == api::Outcome::kRunning) active = i;
    }
    status_.progress = MakeProgress(status_, active, observed_.progress, now_);
    status_.summary = MakeSummary(spec_.compute, status_);
  }

  const Observed& observed_;
  const api::RunSpec& spec_;
  const Settings& settings_;
  base::WallTime now_;
  Plan& plan_;
  api::RunStatus& status_;
  ConditionWriter conditions_;
};

std::optional<base::WallTime> EndOfLife(const api::RunSpec& spec, const api::RunStatus& status) {
  if (!spec.ttl_seconds_after_finished || !status.completion_time) return std::nullopt;
  const auto finished = base::ParseTime(*status.completion_time);
  if (!finished) return std::nullopt;
  return *finished + std::chrono::seconds(*spec.ttl_seconds_after_finished);
}

}  // namespace

bool IsExpired(const api::RunSpec& spec, const api::RunStatus& status, base::WallTime now) {
  const auto end = IsFinished(status) ? EndOfLife(spec, status) : std::nullopt;
  return end && *end <= now;
}

Plan MakePlan(const Observed& observed, const Settings& settings, base::WallTime now) {
  Plan plan;
  plan.status = observed.run.status;
  if (observed.run.deleting) return plan;
  Planner(observed, settings, now, plan).Decide();
  plan.events = MakeEvents(observed.run.status, plan.status);
  if (IsFinished(plan.status)) {
    plan.done = plan.actions.empty();
    plan.look_again = EndOfLife(observed.run.spec, plan.status);
  }
  return plan;
}

}  // namespace fairlap::plan

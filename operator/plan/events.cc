#include "operator/plan/events.h"

#include <string>
#include <utility>

#include "lib/base/number.h"
#include "operator/plan/attempts.h"
#include "operator/plan/conditions.h"
#include "operator/plan/reasons.h"
#include "operator/plan/text.h"

namespace fairlap::plan {
namespace {

constexpr char kNormal[] = "Normal";
constexpr char kWarning[] = "Warning";

std::string Why(const api::AttemptStatus& attempt) {
  const std::string reasons = Reasons(attempt);
  return reasons.empty() ? "" : ": " + reasons;
}

std::string Rate(const api::RepeatStatus& repeat) {
  if (!repeat.figures || !repeat.figures->samples_per_second) return "";
  return " at " + base::FormatNumber(*repeat.figures->samples_per_second) + " samples/s";
}

Event EndEvent(const api::RepeatStatus& repeat, const api::AttemptStatus& attempt) {
  const std::string job = "job " + attempt.job;
  switch (attempt.outcome) {
    case api::Outcome::kSucceeded:
      return {kNormal, kRepeatSucceeded, job + " succeeded" + Rate(repeat)};
    case api::Outcome::kNotStarted:
      return {kWarning, kRepeatNotStarted, job + " never started" + Why(attempt)};
    case api::Outcome::kInterrupted:
      return {kNormal, kRepeatInterrupted, job + " was interrupted" + Why(attempt)};
    default: return {kWarning, kRepeatFailed, job + " failed" + Why(attempt)};
  }
}

void AddAttemptEvents(const api::AttemptStatus* before, const api::RepeatStatus& repeat,
                      const api::AttemptStatus& after, std::vector<Event>& events) {
  if (before == nullptr) events.push_back({kNormal, kJobCreated, "created job " + after.job});
  const bool was_started = before != nullptr && before->marks.container_started;
  if (!was_started && after.marks.container_started) {
    events.push_back({kNormal, kRepeatStarted,
                      "job " + after.job + " started" +
                          (after.nodes.empty() ? "" : " on " + Join(after.nodes))});
  }
  const bool was_over = before != nullptr && IsOver(before->outcome);
  if (was_over || !IsOver(after.outcome)) return;
  events.push_back(EndEvent(repeat, after));
  if (!after.lost.empty()) {
    events.push_back({kWarning, kFiguresLost, "job " + after.job + ": " + Join(after.lost, "; ")});
  }
}

void AddRepeatEvents(const api::RepeatStatus* before, const api::RepeatStatus& after,
                     std::vector<Event>& events) {
  for (size_t i = 0; i < after.attempts.size(); ++i) {
    const bool known = before != nullptr && i < before->attempts.size();
    AddAttemptEvents(known ? &before->attempts[i] : nullptr, after, after.attempts[i], events);
  }
}

// The condition, if its status or reason is new.
const api::Condition* Changed(const api::RunStatus& before, const api::RunStatus& after,
                              const char* type) {
  const api::Condition* old_one = FindCondition(before, type);
  const api::Condition* new_one = FindCondition(after, type);
  if (new_one == nullptr) return nullptr;
  const bool same = old_one != nullptr && old_one->status == new_one->status &&
                    old_one->reason == new_one->reason;
  return same ? nullptr : new_one;
}

void AddConditionEvent(const api::RunStatus& before, const api::RunStatus& after, const char* type,
                       const char* event_type, std::vector<Event>& events) {
  const api::Condition* changed = Changed(before, after, type);
  if (changed == nullptr || changed->status != api::ConditionStatus::kTrue) return;
  events.push_back({event_type, changed->reason, changed->message});
}

void AddWaitingEvents(const api::RunStatus& before, const api::RunStatus& after,
                      std::vector<Event>& events) {
  const api::Condition* running = Changed(before, after, kRunning);
  if (running == nullptr) return;
  if (running->reason == kQueued || running->reason == kSuspended) {
    events.push_back({kNormal, running->reason, running->message});
  }
  const api::Condition* earlier = FindCondition(before, kRunning);
  const bool resumed = earlier != nullptr && earlier->reason == kSuspended && !IsFinished(after);
  if (resumed) events.push_back({kNormal, kResumed, "the run goes on"});
}

}  // namespace

std::vector<Event> MakeEvents(const api::RunStatus& before, const api::RunStatus& after) {
  std::vector<Event> events;
  AddConditionEvent(before, after, kAccepted, kNormal, events);
  AddWaitingEvents(before, after, events);
  for (size_t i = 0; i < after.repeats.size(); ++i) {
    const bool known = i < before.repeats.size();
    AddRepeatEvents(known ? &before.repeats[i] : nullptr, after.repeats[i], events);
  }
  AddConditionEvent(before, after, kComplete, kNormal, events);
  AddConditionEvent(before, after, kFailed, kWarning, events);
  return events;
}

}  // namespace fairlap::plan

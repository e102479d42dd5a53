#include "operator/plan/conditions.h"

#include <algorithm>
#include <utility>

#include "operator/plan/reasons.h"
#include "operator/plan/text.h"

namespace fairlap::plan {

void ConditionWriter::Set(std::string_view type, Statement statement) {
  auto found = std::find_if(status_.conditions.begin(), status_.conditions.end(),
                            [&](const api::Condition& c) { return c.type == type; });
  if (found == status_.conditions.end()) {
    found = status_.conditions.insert(found, api::Condition{});
    found->type = type;
  }
  if (found->last_transition_time.empty() || found->status != statement.status) {
    found->last_transition_time = base::FormatTime(now_);
  }
  found->status = statement.status;
  found->reason = std::move(statement.reason);
  found->message = Cut(statement.message, kMaxConditionMessageBytes);
  found->observed_generation = generation_;
}

const api::Condition* FindCondition(const api::RunStatus& status, std::string_view type) {
  for (const api::Condition& condition : status.conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

bool IsTrue(const api::RunStatus& status, std::string_view type) {
  const api::Condition* condition = FindCondition(status, type);
  return condition != nullptr && condition->status == api::ConditionStatus::kTrue;
}

bool IsFinished(const api::RunStatus& status) {
  return IsTrue(status, kComplete) || IsTrue(status, kFailed);
}

std::span<const char* const> States() {
  static constexpr const char* kStates[] = {kPending,   kQueued,   kStarting, kRunning,
                                            kSuspended, kComplete, kFailed,   kInterrupted};
  return kStates;
}

std::string StateOf(const api::RunStatus& status) {
  if (IsTrue(status, kComplete)) return kComplete;
  if (IsTrue(status, kFailed)) {
    const bool stopped = FindCondition(status, kFailed)->reason == kInterrupted;
    return stopped ? kInterrupted : kFailed;
  }
  if (IsTrue(status, kRunning)) return kRunning;
  const api::Condition* running = FindCondition(status, kRunning);
  if (running != nullptr) {
    for (const char* state : {kQueued, kStarting, kSuspended}) {
      if (running->reason == state) return state;
    }
  }
  return kPending;
}

}  // namespace fairlap::plan

// Conditions, and the one state that is derived from them. Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_CONDITIONS_H_
#define FAIRLAP_OPERATOR_PLAN_CONDITIONS_H_

#include <span>
#include <string>
#include <string_view>

#include "lib/api/status.h"
#include "lib/base/clock.h"

namespace fairlap::plan {

// What is said of a condition.
struct Statement {
  api::ConditionStatus status = api::ConditionStatus::kUnknown;
  std::string reason;
  std::string message;
};

// Writes conditions of one generation at one moment.
class ConditionWriter {
 public:
  // `status` must outlive it.
  ConditionWriter(api::RunStatus& status, int64_t generation, base::WallTime now)
      : status_(status), generation_(generation), now_(now) {}

  // Adds or changes the condition; its transition time moves only if its status does.
  void Set(std::string_view type, Statement statement);

 private:
  api::RunStatus& status_;
  int64_t generation_;
  base::WallTime now_;
};

// nullptr if there is none of that type.
const api::Condition* FindCondition(const api::RunStatus& status, std::string_view type);

bool IsTrue(const api::RunStatus& status, std::string_view type);

// Complete or Failed: final.
bool IsFinished(const api::RunStatus& status);

// Every value of status.state, and which one it is.
std::span<const char* const> States();
std::string StateOf(const api::RunStatus& status);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_CONDITIONS_H_

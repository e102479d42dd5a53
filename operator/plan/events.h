// Events: what changed between two statuses. Equal statuses give none.
#ifndef FAIRLAP_OPERATOR_PLAN_EVENTS_H_
#define FAIRLAP_OPERATOR_PLAN_EVENTS_H_

#include <vector>

#include "lib/api/status.h"
#include "operator/plan/plan.h"

namespace fairlap::plan {

std::vector<Event> MakeEvents(const api::RunStatus& before, const api::RunStatus& after);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_EVENTS_H_

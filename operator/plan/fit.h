// Keeps a status small enough to be stored and watched. Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_FIT_H_
#define FAIRLAP_OPERATOR_PLAN_FIT_H_

#include <cstddef>

#include "lib/api/status.h"

namespace fairlap::plan {

// Of the status as JSON; what else an object holds fits beside it in 64 KiB.
inline constexpr size_t kMaxStatusBytes = 60 * 1024;

// Drops details of repeats that are over until the status fits, the least missed first: earlier
// attempts' details, stage and step details of the figures, marks between start and end, earlier
// attempts, last the values in the summary. Reports hold all of it. What the summary and the
// planner need is never dropped.
void FitStatus(api::RunStatus& status, size_t max_bytes = kMaxStatusBytes);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_FIT_H_

// The three deadlines of a run. Waiting in a queue or for a free node counts for the queue's alone.
// Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_DEADLINES_H_
#define FAIRLAP_OPERATOR_PLAN_DEADLINES_H_

#include <optional>
#include <string>

#include "lib/api/spec.h"
#include "lib/api/status.h"
#include "lib/base/clock.h"

namespace fairlap::plan {

struct Deadline {
  base::WallTime at;
  std::string reason;      // DeadlineExceeded, StartDeadlineExceeded or QueueDeadlineExceeded
  bool ends_run = false;   // a start deadline ends its attempt alone
  api::Outcome outcome{};  // of the attempt that goes on
  std::string limit;       // the field and its value: "activeDeadlineSeconds (20)"
};

// The one that ends next, passed or not. `active`: the attempt that goes on, or nullptr.
//   queue:  from the job's creation until it is scheduled;
//   start:  from scheduled until its container has started;
//   active: time in started containers, over all attempts.
std::optional<Deadline> NextDeadline(const api::RunSpec& spec, const api::RunStatus& status,
                                     const api::AttemptStatus* active);

// The active deadline's seconds were used up by attempts that are over.
bool ActiveTimeIsUsedUp(const api::RunSpec& spec, const api::RunStatus& status);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_DEADLINES_H_

// The order of a run's repeats and attempts. Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_REPEATS_H_
#define FAIRLAP_OPERATOR_PLAN_REPEATS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "lib/api/status.h"
#include "operator/plan/plan.h"

namespace fairlap::plan {

// Where a run stands in the sequence of its repeats: exactly one of the three, or none of them when
// every repeat is over.
struct Course {
  // The repeat whose last attempt goes on: its job is there, or its creation was already planned.
  std::optional<size_t> active;
  // The repeat that needs its next attempt.
  std::optional<size_t> next;
  // A job of a name that we need, and that is somebody else's.
  std::optional<std::string> foreign_job;
};

// One pending entry for each repeat, warm-up runs first, with its own seed.
void ListRepeats(const api::MeasurementSpec& measurement, int64_t run_seed, api::RunStatus& status);

// Brings all attempts of `status` to what the jobs show, and adopts attempts whose jobs exist
// although the status does not have them. Applied again to its own result it changes nothing.
Course FollowRepeats(const Observed& observed, api::RunStatus& status);

// The last attempt, or nullptr.
api::AttemptStatus* LastAttempt(api::RepeatStatus& repeat);
const api::AttemptStatus* LastAttempt(const api::RepeatStatus& repeat);

// nullptr if no job of that name was seen.
const ObservedJob* FindJob(const Observed& observed, const std::string& name);

// Adds a pending attempt to the repeat and returns it.
api::AttemptStatus& AddAttempt(const std::string& run, api::RepeatStatus& repeat);

// Ends every repeat that is not over, with the attempt that goes on in it.
void EndOpenRepeats(api::Outcome outcome, const std::string& reason, api::RunStatus& status);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_REPEATS_H_

// One attempt and its job. Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_ATTEMPTS_H_
#define FAIRLAP_OPERATOR_PLAN_ATTEMPTS_H_

#include <optional>
#include <string>

#include "lib/api/figures.h"
#include "lib/api/spec.h"
#include "lib/api/status.h"
#include "operator/plan/plan.h"

namespace fairlap::plan {

inline constexpr int64_t kMaxAttempts = 5;

// Nothing but where its report is can change any more.
bool IsOver(api::Outcome outcome);

// Its job was seen at least once.
bool WasSeen(const api::AttemptStatus& attempt);

// What a worker left in its termination message, or why it cannot be told.
struct WorkerMessage {
  std::optional<api::WorkerSummary> summary;
  std::string problem;
};
WorkerMessage ReadTerminationMessage(const std::string& text);

// Brings an attempt that is not over to what its job shows. If the job has ended, returns the
// figures that count, times and cost included; figures that cannot be recovered are named in
// `lost`.
std::optional<api::RepeatFigures> ObserveAttempt(const ObservedJob& job,
                                                 const api::ComputeSpec& compute,
                                                 api::AttemptStatus& attempt);

// Ends an attempt for a reason of ours.
void EndAttempt(api::Outcome outcome, std::string reason, std::string message,
                api::AttemptStatus& attempt);

// "ImagePullBackOff: back-off pulling image ...", or "" if neither is known.
std::string Reasons(const api::AttemptStatus& attempt);

// The first repeat that did not succeed, in words: "job NAME: reason: message"; empty if there is
// none.
std::string FirstFailure(const api::RunStatus& status);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_ATTEMPTS_H_

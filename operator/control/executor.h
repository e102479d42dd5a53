// Carries out the planner's actions on the API server.
#ifndef FAIRLAP_OPERATOR_CONTROL_EXECUTOR_H_
#define FAIRLAP_OPERATOR_CONTROL_EXECUTOR_H_

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "operator/kube/client.h"
#include "operator/plan/plan.h"

namespace fairlap::control {

// What became of a list of actions; what came after the first that failed was not tried.
struct Applied {
  std::optional<std::string> foreign;    // "Job demo-1-1" is there and somebody else's
  std::optional<plan::Refusal> refusal;  // the API server does not want it
  base::Status status;                   // anything else that went wrong: try again later
  bool ok() const { return !foreign && !refusal && status.has_value(); }
};

// An object of ours that is there already counts as created, and one that is gone as deleted, so
// that the same plan can be carried out again after a crash.
Applied Apply(const std::vector<plan::Action>& actions, const plan::ObservedRun& run,
              kube::Client& client, std::stop_token stop);

// Creates an Event about the run. The name makes that the same event is stored once.
base::Status SendEvent(const plan::Event& event, const plan::ObservedRun& run, base::WallTime now,
                       kube::Client& client, std::stop_token stop);

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_EXECUTOR_H_

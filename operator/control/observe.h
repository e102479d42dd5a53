// From Kubernetes' documents to what the planner looks at. Pure; a field that is absent or of
// another type than Kubernetes gives it counts as not there.
#ifndef FAIRLAP_OPERATOR_CONTROL_OBSERVE_H_
#define FAIRLAP_OPERATOR_CONTROL_OBSERVE_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/result.h"
#include "operator/kube/store.h"
#include "operator/plan/plan.h"

namespace fairlap::control {

// kInvalidInput if the spec or the status is not as the CRD says.
base::Result<plan::ObservedRun> ReadRun(const base::Json& run);

// `pods` and `warnings` (events) may be of other jobs, too.
plan::ObservedJob ReadJob(const base::Json& job, const std::vector<kube::Object>& pods,
                          const std::vector<kube::Object>& warnings, const std::string& run_uid);

// The job's pod that was created last; nullptr if there is none.
kube::Object PodOf(const base::Json& job, const std::vector<kube::Object>& pods);

// "http://10.1.2.3:9400/v1/progress" of a pod whose worker runs.
std::optional<std::string> ProgressUrl(const base::Json& pod, int64_t port);

// "namespace/name" of the run that an object belongs to: a run itself, an object with our run
// label, or an event about a Job or Pod whose name is made like ours.
std::optional<std::string> RunKeyOf(const base::Json& object);

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_OBSERVE_H_

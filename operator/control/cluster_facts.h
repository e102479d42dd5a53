// What only the cluster knows of where a worker ran, for the environment in its report. Pure.
#ifndef FAIRLAP_OPERATOR_CONTROL_CLUSTER_FACTS_H_
#define FAIRLAP_OPERATOR_CONTROL_CLUSTER_FACTS_H_

#include "lib/base/json.h"
#include "lib/report/report.h"

namespace fairlap::control {

// From the pod the image's digest; from the node's labels and provider the cloud, instance type,
// region and how its GPUs are shared. `node` is nullptr where we may not read nodes. What neither
// tells stays as the worker saw it; a shared GPU is also a warning.
void AddClusterFacts(const base::Json& pod, const base::Json* node,
                     report::Environment& environment);

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_CLUSTER_FACTS_H_

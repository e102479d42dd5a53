// Parts of our objects and pods. Pure; internal to this library.
#ifndef FAIRLAP_OPERATOR_PLAN_POD_H_
#define FAIRLAP_OPERATOR_PLAN_POD_H_

#include <string>

#include "lib/base/json.h"
#include "operator/plan/objects.h"
#include "operator/plan/plan.h"

namespace fairlap::plan {

// The labels of every object of one attempt, and of its pods.
base::Json MakeLabels(const ObservedRun& run, const Repeat& repeat);

// The restricted pod security profile.
base::Json MakePodSecurity();
base::Json MakeContainerSecurity();
void AddPullSecrets(const api::SoftwareSpec& software, base::Json& pod);

// spec.template.spec of the Job.
base::Json MakePodSpec(const ObservedRun& run, const Repeat& repeat, const Settings& settings);

// spec.volumes of the pod, and the worker's volumeMounts.
struct Volumes {
  base::Json volumes = base::Json::array();
  base::Json mounts = base::Json::array();
};
Volumes MakeVolumes(const ObservedRun& run, const std::string& config_map);

// A PersistentVolumeClaim's spec.
base::Json MakeClaimSpec(const api::ClaimTemplate& claim);

// Where the pod may run: nodeSelector, tolerations, affinity and classes, merged into `pod`.
void AddScheduling(const ObservedRun& run, const Repeat& repeat, base::Json& pod);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_POD_H_

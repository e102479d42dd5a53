// The Kubernetes objects of a run. Pure: the same run and repeat give the same object, byte for
// byte (golden files: tests/golden/objects). All meet the restricted pod security profile.
#ifndef FAIRLAP_OPERATOR_PLAN_OBJECTS_H_
#define FAIRLAP_OPERATOR_PLAN_OBJECTS_H_

#include <string>

#include "lib/api/run_config.h"
#include "lib/base/json.h"
#include "operator/plan/plan.h"

namespace fairlap::plan {

// Where the worker finds its volumes and files inside the pod. The Job passes each of them as a
// flag, so that the local executor can put a folder in a mount path's place.
inline constexpr char kConfigFile[] = "/etc/fairlap/run.yaml";
inline constexpr char kDataMount[] = "/data";
inline constexpr char kScratchMount[] = "/scratch";
inline constexpr char kResultsMount[] = "/results";
inline constexpr char kTerminationFile[] = "/dev/termination-log";
// The report goes through the pod's log; where its file stays anyway nobody needs that.
inline constexpr char kLogReportFlag[] = "--log-report";

struct Repeat {
  std::string name;  // "w1", "1"
  bool warmup = false;
  int64_t position = 0;  // in api::RepeatNames
  int64_t attempt = 1;
  int64_t seed = 0;
};

// The labels of objects that belong to the run as a whole.
base::Json MakeRunLabels(const ObservedRun& run);
// Name, namespace, labels and the owner reference that ties an object to its run.
base::Json MakeMetadata(const ObservedRun& run, const std::string& name, base::Json labels);

api::RunConfig MakeRunConfig(const ObservedRun& run, const Repeat& repeat);
// v1 ConfigMap <job>: data["run.yaml"] is the RunConfig as YAML. Immutable, owned by the run.
base::Json MakeConfigMap(const ObservedRun& run, const Repeat& repeat);
// batch/v1 Job <job>: backoffLimit 0, restartPolicy Never, podReplacementPolicy Failed; Indexed
// when nodes > 1. Container "worker" with args:
//   --config=/etc/fairlap/run.yaml --data=/data [--scratch=/scratch] --results=/results
//   --termination-message=/dev/termination-log --listen=0.0.0.0:<port> --log-report
base::Json MakeJob(const ObservedRun& run, const Repeat& repeat, const Settings& settings);
// <run>-data.
std::string ClaimName(const std::string& run);
// v1 PersistentVolumeClaim <run>-data, for storage.data.claimTemplate.
base::Json MakeClaim(const ObservedRun& run);
// batch/v1 Job <run>-populate, which fills that claim with a generated data set; for runs that
// NeedsPopulating.
base::Json MakePopulateJob(const ObservedRun& run, const Settings& settings);
bool NeedsPopulating(const api::RunSpec& spec);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_OBJECTS_H_

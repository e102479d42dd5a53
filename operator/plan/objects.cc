#include "operator/plan/objects.h"

#include "lib/api/documents.h"
#include "lib/api/names.h"
#include "lib/api/yaml.h"
#include "lib/base/codec.h"
#include "operator/plan/labels.h"
#include "operator/plan/pod.h"

namespace fairlap::plan {
namespace {

using base::Json;

Json MakeOwnerReferences(const ObservedRun& run) {
  return Json::array({Json{{"apiVersion", api::kApiVersion},
                           {"kind", api::kRunKind},
                           {"name", run.name},
                           {"uid", run.uid},
                           {"controller", true},
                           {"blockOwnerDeletion", true}}});
}

std::string JobNameOf(const ObservedRun& run, const Repeat& repeat) {
  return api::JobName(run.name, repeat.name, repeat.attempt);
}

}  // namespace

Json MakeMetadata(const ObservedRun& run, const std::string& name, Json labels) {
  return Json{{"name", name},
              {"namespace", run.ns},
              {"labels", std::move(labels)},
              {"ownerReferences", MakeOwnerReferences(run)}};
}

api::RunConfig MakeRunConfig(const ObservedRun& run, const Repeat& repeat) {
  const api::RunSpec& spec = run.spec;
  api::RunConfig config;
  config.identity = {run.name,    run.ns,        run.uid,       JobNameOf(run, repeat),
                     repeat.name, repeat.warmup, repeat.attempt};
  config.seed = repeat.seed;
  config.software = spec.software;
  config.problem = spec.problem;
  config.device = spec.compute.device;
  config.emulated = spec.compute.emulated;
  config.gpus = spec.compute.GpusPerNode();
  config.nodes = spec.compute.nodes;
  config.staging = spec.storage.staging;
  config.cache = spec.storage.cache;
  config.stall_analysis = spec.measurement.stall_analysis;
  return config;
}

Json MakeConfigMap(const ObservedRun& run, const Repeat& repeat) {
  const std::string config = api::ToYaml(base::Encode(MakeRunConfig(run, repeat)));
  return Json{{"apiVersion", "v1"},
              {"kind", "ConfigMap"},
              {"metadata", MakeMetadata(run, JobNameOf(run, repeat), MakeLabels(run, repeat))},
              {"immutable", true},
              {"data", Json{{"run.yaml", config}}}};
}

Json MakeJob(const ObservedRun& run, const Repeat& repeat, const Settings& settings) {
  Json labels = MakeLabels(run, repeat);
  Json spec{{"backoffLimit", 0},
            {"podReplacementPolicy", "Failed"},
            {"completions", run.spec.compute.nodes},
            {"parallelism", run.spec.compute.nodes}};
  if (run.spec.compute.nodes > 1) spec["completionMode"] = "Indexed";
  // No activeDeadlineSeconds: Kubernetes would count from the pod's creation, waiting for a free
  // node included. The planner keeps the run's deadlines.
  if (run.spec.queue_name) {
    labels[kQueueLabel] = *run.spec.queue_name;
    spec["suspend"] = true;
  }
  spec["template"] = Json{{"metadata", Json{{"labels", MakeLabels(run, repeat)}}},
                          {"spec", MakePodSpec(run, repeat, settings)}};
  return Json{{"apiVersion", "batch/v1"},
              {"kind", "Job"},
              {"metadata", MakeMetadata(run, JobNameOf(run, repeat), std::move(labels))},
              {"spec", std::move(spec)}};
}

std::string ClaimName(const std::string& run) { return run + "-data"; }

Json MakeClaim(const ObservedRun& run) {
  return Json{{"apiVersion", "v1"},
              {"kind", "PersistentVolumeClaim"},
              {"metadata", MakeMetadata(run, ClaimName(run.name), MakeRunLabels(run))},
              {"spec", MakeClaimSpec(*run.spec.storage.data->claim_template)}};
}

}  // namespace fairlap::plan

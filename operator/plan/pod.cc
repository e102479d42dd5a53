#include "operator/plan/pod.h"

#include <utility>

#include "lib/api/names.h"
#include "operator/plan/labels.h"

namespace fairlap::plan {
namespace {

using base::Json;

// Any unprivileged number will do: the image's files are readable by all, and the volumes that the
// worker writes get this group.
constexpr int kUserId = 65532;

Json MakeArgs(const api::StorageSpec& storage, const Settings& settings) {
  Json args = Json::array();
  args.push_back(std::string("--config=") + kConfigFile);
  args.push_back(std::string("--data=") + kDataMount);
  if (storage.scratch) args.push_back(std::string("--scratch=") + kScratchMount);
  args.push_back(std::string("--results=") + kResultsMount);
  args.push_back(std::string("--termination-message=") + kTerminationFile);
  args.push_back("--listen=0.0.0.0:" + std::to_string(settings.worker_port));
  args.push_back(kLogReportFlag);
  return args;
}

// Requests equal limits, so that no neighbour's load is measured along.
Json MakeResources(const api::ComputeSpec& compute) {
  Json amounts = Json::object();
  if (compute.resources.cpu) amounts["cpu"] = compute.resources.cpu->text;
  if (compute.resources.memory) amounts["memory"] = compute.resources.memory->text;
  Json limits = amounts;
  if (compute.GpusPerNode() > 0) {
    limits[compute.gpu_resource] = std::to_string(compute.GpusPerNode());  // as it is stored
  }
  Json resources = Json::object();
  if (!amounts.empty()) resources["requests"] = std::move(amounts);
  if (!limits.empty()) resources["limits"] = std::move(limits);
  return resources;
}

Json MakeContainer(const ObservedRun& run, const Settings& settings, Json mounts) {
  Json container{{"name", kWorkerContainer},
                 {"image", run.spec.software.image.value_or(settings.worker_image)},
                 {"args", MakeArgs(run.spec.storage, settings)},
                 {"env", Json::array({Json{{"name", "HOME"}, {"value", "/tmp"}}})},
                 {"ports", Json::array({Json{{"name", kMetricsPort},
                                             {"containerPort", settings.worker_port},
                                             {"protocol", "TCP"}}})}};
  Json resources = MakeResources(run.spec.compute);
  if (!resources.empty()) container["resources"] = std::move(resources);
  container["securityContext"] = MakeContainerSecurity();
  container["terminationMessagePath"] = kTerminationFile;
  container["terminationMessagePolicy"] = "File";
  container["volumeMounts"] = std::move(mounts);
  return container;
}

}  // namespace

Json MakePodSecurity() {
  return Json{{"runAsNonRoot", true},
              {"runAsUser", kUserId},
              {"runAsGroup", kUserId},
              {"fsGroup", kUserId},
              // A large data set is not walked before every repeat.
              {"fsGroupChangePolicy", "OnRootMismatch"},
              {"seccompProfile", Json{{"type", "RuntimeDefault"}}}};
}

Json MakeContainerSecurity() {
  return Json{{"allowPrivilegeEscalation", false},
              {"readOnlyRootFilesystem", true},
              {"capabilities", Json{{"drop", Json::array({"ALL"})}}}};
}

void AddPullSecrets(const api::SoftwareSpec& software, Json& pod) {
  for (const auto& secret : software.image_pull_secrets) {
    pod["imagePullSecrets"].push_back(Json{{"name", secret.name}});
  }
}

Json MakeRunLabels(const ObservedRun& run) {
  return Json{{kNameLabel, kNameValue},
              {kPartOfLabel, kPartOfValue},
              {kManagedByLabel, kManagedByValue},
              {kRunLabel, run.name}};
}

Json MakeLabels(const ObservedRun& run, const Repeat& repeat) {
  Json labels = MakeRunLabels(run);
  labels[kRepeatLabel] = repeat.name;
  labels[kAttemptLabel] = std::to_string(repeat.attempt);
  return labels;
}

Json MakePodSpec(const ObservedRun& run, const Repeat& repeat, const Settings& settings) {
  const std::string job = api::JobName(run.name, repeat.name, repeat.attempt);
  Volumes volumes = MakeVolumes(run, job);
  Json pod{{"restartPolicy", "Never"},
           {"automountServiceAccountToken", false},
           {"enableServiceLinks", false},
           {"securityContext", MakePodSecurity()}};
  // Workers on several nodes find each other by <job>-<index>.<job>.
  if (run.spec.compute.nodes > 1) pod["subdomain"] = job;
  AddScheduling(run, repeat, pod);
  AddPullSecrets(run.spec.software, pod);
  pod["containers"] = Json::array({MakeContainer(run, settings, std::move(volumes.mounts))});
  pod["volumes"] = std::move(volumes.volumes);
  return pod;
}

}  // namespace fairlap::plan

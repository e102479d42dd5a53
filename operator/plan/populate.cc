// The job that fills a templated claim: the worker's image running `fairlap dataset generate`.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "lib/api/names.h"
#include "lib/base/codec.h"
#include "operator/plan/labels.h"
#include "operator/plan/pod.h"

namespace fairlap::plan {
namespace {

using base::Json;

constexpr char kDataVolume[] = "data";

constexpr int64_t kPairsEdge = 256;

Json MakeCommand(const ObservedRun& run) {
  const api::DatasetSpec& dataset = run.spec.problem.dataset;
  const api::GenerateSpec& generate = *run.spec.storage.data->populate->generate;
  Json command = Json::array({"fairlap", "dataset", "generate", "--format",
                              base::EnumName(dataset.format), "--out", kDataMount});
  const auto add = [&command](const char* flag, int64_t value) {
    command.push_back(flag);
    command.push_back(std::to_string(value));
  };
  if (dataset.format == api::DatasetFormat::kCarePairs) {
    // Patches are cut out of the images and never scaled.
    add("--typical-width", std::max(kPairsEdge, dataset.image_size.value_or(kPairsEdge)));
  } else {
    add("--classes", generate.classes);
  }
  add("--images", generate.images);
  add("--seed", generate.seed);
  return command;
}

Json MakePopulatePod(const ObservedRun& run, const Settings& settings) {
  Json container{
      {"name", kWorkerContainer},
      {"image", run.spec.software.image.value_or(settings.worker_image)},
      {"command", MakeCommand(run)},
      {"securityContext", MakeContainerSecurity()},
      {"terminationMessagePolicy", "FallbackToLogsOnError"},
      {"volumeMounts", Json::array({Json{{"name", kDataVolume}, {"mountPath", kDataMount}}})}};
  Json volume{{"name", kDataVolume},
              {"persistentVolumeClaim", Json{{"claimName", ClaimName(run.name)}}}};
  Json pod{{"restartPolicy", "Never"},
           {"automountServiceAccountToken", false},
           {"enableServiceLinks", false},
           {"securityContext", MakePodSecurity()},
           {"containers", Json::array({std::move(container)})},
           {"volumes", Json::array({std::move(volume)})}};
  // Where the repeats may run: some storage is bound to the node that used it first.
  AddScheduling(run, Repeat{}, pod);
  AddPullSecrets(run.spec.software, pod);
  return pod;
}

}  // namespace

bool NeedsPopulating(const api::RunSpec& spec) {
  return spec.storage.data && spec.storage.data->populate &&
         spec.storage.data->populate->generate.has_value();
}

Json MakePopulateJob(const ObservedRun& run, const Settings& settings) {
  const Json labels = MakeRunLabels(run);
  return Json{{"apiVersion", "batch/v1"},
              {"kind", "Job"},
              {"metadata", MakeMetadata(run, api::PopulateJobName(run.name), labels)},
              {"spec", Json{{"backoffLimit", 0},
                            {"podReplacementPolicy", "Failed"},
                            {"template", Json{{"metadata", Json{{"labels", labels}}},
                                              {"spec", MakePopulatePod(run, settings)}}}}}};
}

}  // namespace fairlap::plan

#include "cli/manifest_input.h"

#include <utility>

#include "lib/api/advice.h"
#include "lib/api/availability.h"
#include "lib/base/file.h"

namespace fairlap::cli {
namespace {

using base::EnumName;

// What `check` finds, with lines. `documents` are those that the manifests came from.
base::Problems CheckAll(base::Problems (*check)(const api::RunSpec&),
                        const std::vector<api::RunManifest>& manifests,
                        const std::vector<api::YamlDocument>& documents) {
  base::Problems all;
  for (size_t i = 0; i < manifests.size(); ++i) {
    base::Problems problems = check(manifests[i].spec);
    if (i < documents.size()) api::AddLines(documents[i], problems);
    all.insert(all.end(), problems.begin(), problems.end());
  }
  return all;
}

std::string Stop(const api::StopSpec& stop) {
  if (stop.steps) return std::to_string(*stop.steps) + " steps";
  if (stop.epochs) return std::to_string(*stop.epochs) + " epochs";
  return std::string(EnumName(stop.accuracy->metric)) + " " + stop.accuracy->target.text;
}

std::string Counted(int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

ManifestInput LoadManifests(const std::filesystem::path& file) {
  ManifestInput input;
  const auto text = base::ReadFile(file == "-" ? "/dev/stdin" : file, api::kMaxYamlBytes);
  if (!text) {
    input.problems = text.error().message + "\n";
    return input;
  }
  api::ManifestResult result = api::ParseManifests(*text);
  if (result.problems.empty()) {
    const std::vector<api::YamlDocument> documents = api::ParseYaml(*text).documents;
    result.problems = CheckAll(api::CheckAvailability, result.manifests, documents);
    input.warnings = api::FormatProblems(
        file.string(), CheckAll(api::Advise, result.manifests, documents), "warning: ");
  }
  input.problems = api::FormatProblems(file.string(), result.problems);
  if (input.problems.empty()) input.manifests = std::move(result.manifests);
  return input;
}

std::string DescribeRun(const api::RunManifest& manifest) {
  const api::ProblemSpec& problem = manifest.spec.problem;
  const api::MeasurementSpec& measurement = manifest.spec.measurement;
  std::string text(EnumName(manifest.spec.software.model));
  text += " on " + std::string(EnumName(problem.dataset.format));
  text += ", batch " +
          std::to_string(problem.batch_size.value_or(problem.global_batch_size.value_or(0)));
  text += ", until " + Stop(problem.stop) + "; ";
  if (measurement.warmup_runs > 0)
    text += Counted(measurement.warmup_runs, "warm-up run") + " and ";
  text += Counted(measurement.repeats, "repeat");
  return text + " on " + std::string(EnumName(manifest.spec.compute.device));
}

std::vector<std::string> ClusterOnlyFields(const api::RunSpec& spec) {
  const api::ComputeSpec& compute = spec.compute;
  const std::pair<bool, const char*> fields[] = {
      {spec.software.image.has_value(), "spec.software.image"},
      {compute.resources.cpu.has_value(), "spec.compute.resources.cpu"},
      {compute.resources.memory.has_value(), "spec.compute.resources.memory"},
      {!compute.node_selector.empty(), "spec.compute.nodeSelector"},
      {!compute.node_affinity.empty(), "spec.compute.nodeAffinity"},
      {!compute.tolerations.empty(), "spec.compute.tolerations"},
      {compute.runtime_class_name.has_value(), "spec.compute.runtimeClassName"},
      {compute.priority_class_name.has_value(), "spec.compute.priorityClassName"},
      {spec.queue_name.has_value(), "spec.queueName"}};
  std::vector<std::string> set;
  for (const auto& [is_set, name] : fields) {
    if (is_set) set.emplace_back(name);
  }
  return set;
}

}  // namespace fairlap::cli

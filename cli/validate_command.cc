#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/manifest_input.h"

namespace fairlap::cli {
namespace {

std::string NeededVolumes(const api::StorageSpec& storage) {
  if (!storage.data || !storage.data->claim_name) return "";
  return "\n  a local run needs --volume " + *storage.data->claim_name + "=DIR";
}

}  // namespace

int Validate(const ValidateOptions& options) {
  const ManifestInput input = LoadManifests(options.file);
  if (!input.problems.empty()) {
    std::fputs(input.problems.c_str(), stderr);
    return kExitFailed;
  }
  std::fputs(input.warnings.c_str(), stderr);
  for (const api::RunManifest& manifest : input.manifests) {
    const std::string text =
        manifest.name + ": " + DescribeRun(manifest) + NeededVolumes(manifest.spec.storage) + "\n";
    std::fputs(text.c_str(), stdout);
  }
  return kExitOk;
}

}  // namespace fairlap::cli

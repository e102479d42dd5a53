// --volume claim=DIR: which folder stands for which PersistentVolumeClaim in a local run.
#ifndef FAIRLAP_CLI_VOLUMES_H_
#define FAIRLAP_CLI_VOLUMES_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/spec.h"
#include "lib/base/result.h"

namespace fairlap::cli {

using VolumeMap = std::map<std::string, std::filesystem::path>;

// "claim=DIR" each; the same claim twice is an error.
base::Result<VolumeMap> ParseVolumes(const std::vector<std::string>& flags);

struct LocalVolumes {
  std::optional<std::filesystem::path> data;     // absolute; absent for synthetic data
  std::optional<std::filesystem::path> results;  // of the results claim, where it was mapped
};

// Finds each claim's folder, which must exist. Errors name the field and the flag to give: a claim
// without a folder, a volume that only a cluster can provide, a flag that no claim asks for.
base::Result<LocalVolumes> ResolveVolumes(const api::StorageSpec& storage,
                                          const VolumeMap& volumes);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_VOLUMES_H_

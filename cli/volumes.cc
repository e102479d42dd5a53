#include "cli/volumes.h"

#include <set>
#include <system_error>

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;

base::Result<fs::path> ExistingFolder(const std::string& claim, const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    const std::string why = error && error != std::errc::no_such_file_or_directory ? error.message()
                            : fs::exists(folder, error) ? "is not a folder"
                                                        : "does not exist";
    return base::MakeError(ErrorKind::kNotFound,
                           "--volume " + claim + "=" + folder.string() + ": " + why);
  }
  return fs::canonical(folder, error);
}

tl::unexpected<base::Error> NeedsCluster(const std::string& field) {
  return base::MakeError(ErrorKind::kUnavailable,
                         field +
                             ": only a cluster can provide it; for a local run name a claim "
                             "in spec.storage.data.claimName and give --volume NAME=DIR");
}

base::Result<std::optional<fs::path>> ResolveData(const api::DataVolume& data,
                                                  const VolumeMap& volumes) {
  if (data.claim_template) return NeedsCluster("spec.storage.data.claimTemplate");
  if (data.profile) return NeedsCluster("spec.storage.data.profile");
  if (!data.claim_name) return std::nullopt;
  const auto found = volumes.find(*data.claim_name);
  if (found == volumes.end()) {
    return base::MakeError(ErrorKind::kInvalidInput,
                           "spec.storage.data.claimName: " + *data.claim_name +
                               " has no folder; give --volume " + *data.claim_name + "=DIR");
  }
  auto folder = ExistingFolder(found->first, found->second);
  if (!folder) return tl::unexpected(folder.error());
  return *folder;
}

base::Status CheckAllUsed(const api::StorageSpec& storage, const VolumeMap& volumes) {
  std::set<std::string> claims;
  if (storage.data && storage.data->claim_name) claims.insert(*storage.data->claim_name);
  if (storage.results) claims.insert(storage.results->claim_name);
  for (const auto& [claim, folder] : volumes) {
    if (claims.contains(claim)) continue;
    std::string known;
    for (const std::string& name : claims) known += (known.empty() ? "" : ", ") + name;
    return base::MakeError(ErrorKind::kInvalidInput,
                           "--volume " + claim + "=" + folder.string() +
                               ": the manifest names no such claim; it names " +
                               (known.empty() ? "none" : known));
  }
  return {};
}

}  // namespace

base::Result<VolumeMap> ParseVolumes(const std::vector<std::string>& flags) {
  VolumeMap volumes;
  for (const std::string& flag : flags) {
    const size_t equals = flag.find('=');
    if (equals == flag.npos || equals == 0 || equals + 1 == flag.size()) {
      return base::MakeError(ErrorKind::kInvalidInput,
                             "--volume " + flag + ": must be CLAIM=DIR, like photos=/data/photos");
    }
    const std::string claim = flag.substr(0, equals);
    if (!volumes.emplace(claim, flag.substr(equals + 1)).second) {
      return base::MakeError(ErrorKind::kInvalidInput, "--volume " + claim + ": is given twice");
    }
  }
  return volumes;
}

base::Result<LocalVolumes> ResolveVolumes(const api::StorageSpec& storage,
                                          const VolumeMap& volumes) {
  if (auto used = CheckAllUsed(storage, volumes); !used) return tl::unexpected(used.error());
  if (storage.scratch && (storage.scratch->claim_template || storage.scratch->profile)) {
    return base::MakeError(ErrorKind::kUnavailable,
                           "spec.storage.scratch: a local run has only emptyDir");
  }
  LocalVolumes local;
  if (storage.data) {
    auto data = ResolveData(*storage.data, volumes);
    if (!data) return tl::unexpected(data.error());
    local.data = *data;
  }
  if (!storage.results) return local;
  const auto results = volumes.find(storage.results->claim_name);
  if (results == volumes.end()) return local;
  auto folder = ExistingFolder(results->first, results->second);
  if (!folder) return tl::unexpected(folder.error());
  local.results = *folder;
  return local;
}

}  // namespace fairlap::cli

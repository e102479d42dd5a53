#include <string>
#include <utility>

#include "lib/base/codec.h"
#include "operator/plan/pod.h"

namespace fairlap::plan {
namespace {

using base::Json;

// Adds a volume whose `source` is {"emptyDir": {...}} or the like.
void Add(const char* name, const char* mount_path, bool read_only, Json source, Volumes& out) {
  Json volume{{"name", name}};
  volume.update(source);
  out.volumes.push_back(std::move(volume));
  Json mount{{"name", name}, {"mountPath", mount_path}};
  if (read_only) mount["readOnly"] = true;
  out.mounts.push_back(std::move(mount));
}

Json Claim(const std::string& name, bool read_only) {
  Json claim{{"claimName", name}};
  if (read_only) claim["readOnly"] = true;
  return Json{{"persistentVolumeClaim", std::move(claim)}};
}

Json EmptyDirectory() { return Json{{"emptyDir", Json::object()}}; }

Json MakeScratch(const api::ScratchVolume& scratch) {
  if (scratch.claim_template) {
    return Json{{"ephemeral", Json{{"volumeClaimTemplate",
                                    Json{{"spec", MakeClaimSpec(*scratch.claim_template)}}}}}};
  }
  Json directory = Json::object();
  if (scratch.empty_dir && scratch.empty_dir->size_limit) {
    directory["sizeLimit"] = scratch.empty_dir->size_limit->text;
  }
  return Json{{"emptyDir", std::move(directory)}};
}

}  // namespace

Json MakeClaimSpec(const api::ClaimTemplate& claim) {
  Json modes = Json::array();
  for (const api::AccessMode mode : claim.access_modes) modes.push_back(base::EnumName(mode));
  if (modes.empty()) modes.push_back(base::EnumName(api::AccessMode::kReadWriteOnce));
  Json spec{{"accessModes", std::move(modes)}};
  if (claim.storage_class_name) spec["storageClassName"] = *claim.storage_class_name;
  if (claim.data_source) spec["dataSource"] = base::Encode(*claim.data_source);
  spec["resources"] = Json{{"requests", Json{{"storage", claim.size.text}}}};
  return spec;
}

Volumes MakeVolumes(const ObservedRun& run, const std::string& config_map) {
  const api::StorageSpec& storage = run.spec.storage;
  Volumes out;
  Add("config", "/etc/fairlap", true, Json{{"configMap", Json{{"name", config_map}}}}, out);
  if (storage.data && storage.data->claim_name) {
    Add("data", kDataMount, true, Claim(*storage.data->claim_name, true), out);
  } else if (storage.data && storage.data->claim_template) {
    Add("data", kDataMount, true, Claim(ClaimName(run.name), true), out);
  }
  if (storage.scratch) Add("scratch", kScratchMount, false, MakeScratch(*storage.scratch), out);
  Add("results", kResultsMount, false,
      storage.results ? Claim(storage.results->claim_name, false) : EmptyDirectory(), out);
  Add("shm", "/dev/shm", false, Json{{"emptyDir", Json{{"medium", "Memory"}}}}, out);
  Add("tmp", "/tmp", false, EmptyDirectory(), out);
  return out;
}

}  // namespace fairlap::plan

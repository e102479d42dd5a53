#include "operator/control/cluster_facts.h"

#include <string>
#include <utility>

#include "operator/control/documents.h"
#include "operator/plan/labels.h"

namespace fairlap::control {
namespace {

using base::Json;

constexpr char kNone[] = "none";

// Labels that Kubernetes and NVIDIA's device plugin give nodes, as JSON pointers.
constexpr char kInstanceType[] = "/metadata/labels/node.kubernetes.io~1instance-type";
constexpr char kRegion[] = "/metadata/labels/topology.kubernetes.io~1region";
constexpr char kGpuSharing[] = "/metadata/labels/nvidia.com~1gpu.sharing-strategy";
constexpr char kGpuProduct[] = "/metadata/labels/nvidia.com~1gpu.product";

void SetIfKnown(std::string value, std::string& field) {
  if (!value.empty()) field = std::move(value);
}

// "sha256:..." of "registry/name@sha256:...".
std::string ImageDigest(const Json& pod) {
  const Json* status = EntryAt(pod, "/status/containerStatuses", "name", plan::kWorkerContainer);
  if (status == nullptr) return "";
  const std::string image = TextAt(*status, "/imageID");
  const size_t at = image.rfind('@');
  return at == image.npos ? image : image.substr(at + 1);
}

// Of "gce://project/zone/name" and the like; local clusters' nodes are rented from nobody.
std::string CloudProvider(const Json& node) {
  const std::string id = TextAt(node, "/spec/providerID");
  const size_t end = id.find("://");
  const std::string scheme = end == id.npos ? "" : id.substr(0, end);
  if (scheme == "gce") return "gcp";
  if (scheme == "kind" || scheme == "k3s" || scheme == "minikube") return kNone;
  return scheme;
}

// Device plugins that do not name the strategy only mark the product, and know time-slicing alone.
std::string GpuSharing(const Json& node) {
  const std::string strategy = TextAt(node, kGpuSharing);
  if (!strategy.empty()) return strategy;
  const std::string product = TextAt(node, kGpuProduct);
  if (product.empty()) return "";
  return product.ends_with("-SHARED") ? "time-slicing" : kNone;
}

}  // namespace

void AddClusterFacts(const Json& pod, const Json* node, report::Environment& environment) {
  SetIfKnown(ImageDigest(pod), environment.image_digest);
  if (node == nullptr) return;
  SetIfKnown(CloudProvider(*node), environment.cloud_provider);
  SetIfKnown(TextAt(*node, kInstanceType), environment.instance_type);
  SetIfKnown(TextAt(*node, kRegion), environment.region);
  const std::string sharing = GpuSharing(*node);
  SetIfKnown(sharing, environment.gpu_sharing);
  if (!environment.gpus.empty() && !sharing.empty() && sharing != kNone) {
    environment.warnings.push_back("the node shares its GPUs (" + sharing +
                                   "): other processes may have used this one");
  }
}

}  // namespace fairlap::control

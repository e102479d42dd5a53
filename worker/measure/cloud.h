// Which cloud a machine is rented from, as its firmware says. In a cluster the node's labels say
// more (operator/control/cluster_facts.h).
#ifndef FAIRLAP_WORKER_MEASURE_CLOUD_H_
#define FAIRLAP_WORKER_MEASURE_CLOUD_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace fairlap::measure {

struct CloudFacts {
  std::string provider;       // "aws", "gcp", "azure", "openstack"; "none" for any other vendor
  std::string instance_type;  // "none" where there is no provider
  std::string region;         // no firmware tells
};

// What /sys/class/dmi/id says; all "unknown" where there is no vendor. Azure is told from any other
// Hyper-V by the tag that it gives its chassis. Pure.
CloudFacts ParseDmi(std::string_view vendor, std::string_view product,
                    std::string_view chassis_tag);

CloudFacts ObserveCloud(const std::filesystem::path& root = "/");

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_CLOUD_H_

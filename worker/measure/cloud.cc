#include "worker/measure/cloud.h"

#include "worker/measure/environment_text.h"
#include "worker/measure/system_file.h"

namespace fairlap::measure {
namespace {

constexpr std::string_view kAzureChassis = "7783-7084-3265-9085-8269-3286-77";

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace

CloudFacts ParseDmi(std::string_view vendor, std::string_view product,
                    std::string_view chassis_tag) {
  vendor = Trim(vendor);
  product = Trim(product);
  // Nitro machines are called by their type.
  if (vendor == "Amazon EC2") {
    return {"aws", product.empty() ? kUnknown : std::string(product), kUnknown};
  }
  if (vendor == "Google") return {"gcp", kUnknown, kUnknown};
  if (vendor == "Microsoft Corporation" && Trim(chassis_tag) == kAzureChassis) {
    return {"azure", kUnknown, kUnknown};
  }
  if (vendor == "OpenStack Foundation") return {"openstack", kUnknown, kUnknown};
  if (vendor.empty()) return {kUnknown, kUnknown, kUnknown};
  return {"none", "none", "none"};
}

CloudFacts ObserveCloud(const std::filesystem::path& root) {
  const std::filesystem::path dmi = root / "sys/class/dmi/id";
  return ParseDmi(ReadSystemFile(dmi / "sys_vendor"), ReadSystemFile(dmi / "product_name"),
                  ReadSystemFile(dmi / "chassis_asset_tag"));
}

}  // namespace fairlap::measure

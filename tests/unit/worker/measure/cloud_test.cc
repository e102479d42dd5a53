#include "worker/measure/cloud.h"

#include <gtest/gtest.h>

namespace fairlap::measure {
namespace {

std::string Told(std::string_view vendor, std::string_view product, std::string_view tag = "") {
  const CloudFacts facts = ParseDmi(vendor, product, tag);
  return facts.provider + " " + facts.instance_type + " " + facts.region;
}

TEST(ParseDmi, KnowsTheCloudsByTheirVendor) {
  EXPECT_EQ(Told("Amazon EC2\n", "p5.48xlarge\n"), "aws p5.48xlarge unknown");
  EXPECT_EQ(Told("Google\n", "Google Compute Engine\n"), "gcp unknown unknown");
  EXPECT_EQ(Told("OpenStack Foundation\n", "OpenStack Nova\n"), "openstack unknown unknown");
}

TEST(ParseDmi, TellsAzureFromAnyOtherHyperV) {
  EXPECT_EQ(
      Told("Microsoft Corporation\n", "Virtual Machine\n", "7783-7084-3265-9085-8269-3286-77\n"),
      "azure unknown unknown");
  EXPECT_EQ(Told("Microsoft Corporation\n", "Virtual Machine\n", "5011-1234\n"), "none none none");
}

TEST(ParseDmi, SaysNoneOfAVendorThatIsNoCloud) {
  EXPECT_EQ(Told("Dell Inc.\n", "PowerEdge R750\n"), "none none none");
}

TEST(ParseDmi, SaysUnknownWhereNothingCanBeRead) {
  EXPECT_EQ(Told("", ""), "unknown unknown unknown");
  EXPECT_EQ(Told(" \n", "x\n"), "unknown unknown unknown");
}

}  // namespace
}  // namespace fairlap::measure

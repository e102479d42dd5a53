#include "operator/control/cluster_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlap::control {
namespace {

using base::Json;

Json PodWith(const std::string& image) {
  return {{"status", {{"containerStatuses", {{{"name", "worker"}, {"imageID", image}}}}}}};
}

Json NodeWith(const std::string& provider_id, const Json& labels) {
  return {{"metadata", {{"labels", labels}}}, {"spec", {{"providerID", provider_id}}}};
}

report::Environment SeenByWorker() {
  report::Environment environment;
  environment.image_digest = environment.region = "unknown";
  environment.cloud_provider = environment.instance_type = "none";
  environment.gpus.resize(1);
  return environment;
}

std::string ProviderOf(const std::string& provider_id) {
  report::Environment environment = SeenByWorker();
  const Json node = NodeWith(provider_id, Json::object());
  AddClusterFacts(Json::object(), &node, environment);
  return environment.cloud_provider;
}

std::string SharingOf(const Json& labels, size_t warnings) {
  report::Environment environment = SeenByWorker();
  const Json node = NodeWith("", labels);
  AddClusterFacts(Json::object(), &node, environment);
  EXPECT_EQ(environment.warnings.size(), warnings) << labels;
  return environment.gpu_sharing;
}

TEST(AddClusterFacts, TakesTheImagesDigestFromThePod) {
  report::Environment environment = SeenByWorker();
  AddClusterFacts(PodWith("registry.example/worker@sha256:abc"), nullptr, environment);
  EXPECT_EQ(environment.image_digest, "sha256:abc");
  AddClusterFacts(PodWith("sha256:def"), nullptr, environment);
  EXPECT_EQ(environment.image_digest, "sha256:def");
}

TEST(AddClusterFacts, TakesTypeAndRegionFromTheNodesLabels) {
  report::Environment environment = SeenByWorker();
  const Json node =
      NodeWith("aws:///us-east-1a/i-0abc", {{"node.kubernetes.io/instance-type", "p5.48xlarge"},
                                            {"topology.kubernetes.io/region", "us-east-1"}});
  AddClusterFacts(PodWith(""), &node, environment);
  EXPECT_EQ(environment.cloud_provider, "aws");
  EXPECT_EQ(environment.instance_type, "p5.48xlarge");
  EXPECT_EQ(environment.region, "us-east-1");
  EXPECT_EQ(environment.image_digest, "unknown");
}

TEST(AddClusterFacts, NamesTheCloudAfterTheProvidersScheme) {
  EXPECT_EQ(ProviderOf("gce://project/europe-west4-a/node"), "gcp");
  EXPECT_EQ(ProviderOf("azure:///subscriptions/x"), "azure");
  EXPECT_EQ(ProviderOf("kind://docker/kind/kind-worker"), "none");
  EXPECT_EQ(ProviderOf("no scheme"), "none") << "as the worker saw it";
}

TEST(AddClusterFacts, TellsHowGpusAreSharedAndWarnsOfIt) {
  EXPECT_EQ(SharingOf({{"nvidia.com/gpu.sharing-strategy", "mps"}}, 1), "mps");
  EXPECT_EQ(SharingOf({{"nvidia.com/gpu.sharing-strategy", "none"}}, 0), "none");
  EXPECT_EQ(SharingOf({{"nvidia.com/gpu.product", "NVIDIA-A100-SHARED"}}, 1), "time-slicing");
  EXPECT_EQ(SharingOf({{"nvidia.com/gpu.product", "NVIDIA-A100"}}, 0), "none");
  EXPECT_EQ(SharingOf(Json::object(), 0), "");
}

TEST(AddClusterFacts, SurvivesDocumentsOfAnyShape) {
  report::Environment environment = SeenByWorker();
  for (const Json& odd : {Json(nullptr), Json(3), Json::array({1}), Json{{"status", 1}}}) {
    AddClusterFacts(odd, &odd, environment);
  }
  EXPECT_EQ(environment.cloud_provider, "none");
}

}  // namespace
}  // namespace fairlap::control

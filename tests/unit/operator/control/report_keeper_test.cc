#include "operator/control/report_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/encoding.h"
#include "lib/report/log_report.h"
#include "tests/unit/operator/kube/fake_transport.h"

namespace fairlap::control {
namespace {

using base::Json;

class KeepReportTest : public testing::Test {
 protected:
  KeepReportTest() {
    run_.name = "demo";
    run_.ns = "bench";
    run_.uid = "run-uid";
    rank_.environment.hostname = "host";
    rank_.environment.instance_type = "unknown";
    rank_.config.identity = {"demo", "bench", "run-uid", "demo-1-1", "1", false, 1};
    rank_.config.problem.stop.steps = 1;
    rank_.config.problem.batch_size = 1;
    rank_.config.problem.optimizer.learning_rate.text = "0.1";
    pod_ = {
        {"metadata", {{"name", "demo-1-1-x"}}},
        {"spec", {{"nodeName", "node1"}}},
        {"status", {{"containerStatuses", {{{"name", "worker"}, {"imageID", "w@sha256:abc"}}}}}}};
  }

  // The environment of the report that is kept after these answers to the log and the node.
  report::Environment KeptAfter(const std::string& log, const kube::Step& node) {
    kube::FakeTransport transport({{200, log}, node, {201, "{}"}});
    kube::Client client(transport);
    const auto kept = KeepReport(run_, "demo-1-1", pod_, client, {});
    EXPECT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(kept.value_or(""), "configmap/demo-1-1-report");
    const Json map = Json::parse(transport.requests().back().body);
    const auto packed =
        base::FromBase64(map["binaryData"][report::kPackedReportKey].get<std::string>());
    const auto rank = report::Unpack(packed.value_or(""));
    EXPECT_TRUE(rank) << rank.error().message;
    return rank ? rank->environment : report::Environment();
  }
  std::string Log() const { return "x\n" + report::ToLogLines(report::Pack(rank_)); }

  plan::ObservedRun run_;
  report::RankReport rank_;
  Json pod_;
};

TEST_F(KeepReportTest, AddsWhatTheClusterKnowsToTheEnvironment) {
  const Json node{{"metadata",
                   {{"labels",
                     {{"node.kubernetes.io/instance-type", "m5.large"},
                      {"topology.kubernetes.io/region", "eu-west-1"}}}}},
                  {"spec", {{"providerID", "aws:///eu-west-1a/i-1"}}}};
  const report::Environment kept = KeptAfter(Log(), {200, node.dump()});
  EXPECT_EQ(kept.hostname, "host");
  EXPECT_EQ(kept.image_digest, "sha256:abc");
  EXPECT_EQ(kept.cloud_provider, "aws");
  EXPECT_EQ(kept.instance_type, "m5.large");
  EXPECT_EQ(kept.region, "eu-west-1");
}

TEST_F(KeepReportTest, KeepsTheReportOfANodeThatItMayNotRead) {
  const report::Environment kept = KeptAfter(Log(), {403, R"({"message": "nodes is forbidden"})"});
  EXPECT_EQ(kept.image_digest, "sha256:abc");
  EXPECT_EQ(kept.instance_type, "unknown");
}

TEST_F(KeepReportTest, SaysThatTheLogHoldsNone) {
  kube::FakeTransport transport({{200, "nothing\n"}});
  kube::Client client(transport);
  const auto kept = KeepReport(run_, "demo-1-1", pod_, client, {});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, base::ErrorKind::kNotFound);
}

}  // namespace
}  // namespace fairlap::control

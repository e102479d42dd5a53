#include "operator/control/observe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/json.h"

namespace fairlap::control {
namespace {

using base::Json;
using plan::JobPhase;
using testing::HasSubstr;

constexpr char kUid[] = "run-uid";

Json Job(Json status = Json::object()) {
  return Json{
      {"kind", "Job"},
      {"metadata",
       {{"name", "demo-1-1"},
        {"namespace", "bench"},
        {"uid", "job-uid"},
        {"creationTimestamp", "2026-03-01T12:00:00Z"},
        {"labels", {{"fairlap.dev/run", "demo"}}},
        {"ownerReferences",
         Json::array({Json{{"uid", kUid}, {"kind", "BenchmarkRun"}, {"controller", true}}})}}},
      {"status", std::move(status)}};
}

kube::Object Pod(Json status, const std::string& created = "2026-03-01T12:00:01Z") {
  return std::make_shared<const Json>(
      Json{{"kind", "Pod"},
           {"metadata",
            {{"name", "demo-1-1-x7k2p"},
             {"namespace", "bench"},
             {"creationTimestamp", created},
             {"ownerReferences", Json::array({Json{{"uid", "job-uid"}, {"controller", true}}})}}},
           {"spec", {{"nodeName", "node1"}}},
           {"status", std::move(status)}});
}

Json Container(Json state) {
  return Json::array({Json{{"name", "worker"}, {"state", std::move(state)}}});
}

Json Condition(const char* type, const char* status, Json more = Json::object()) {
  Json condition{{"type", type}, {"status", status}};
  condition.update(more);
  return condition;
}

kube::Object Warning(const std::string& about, const std::string& time, const std::string& reason) {
  return std::make_shared<const Json>(
      Json{{"kind", "Event"},
           {"metadata", {{"namespace", "bench"}, {"name", about + time}}},
           {"involvedObject", {{"kind", "Job"}, {"name", about}}},
           {"lastTimestamp", time},
           {"reason", reason},
           {"message", reason + " it said"}});
}

plan::ObservedJob Read(const Json& job, const std::vector<kube::Object>& pods = {},
                       const std::vector<kube::Object>& warnings = {}) {
  return ReadJob(job, pods, warnings, kUid);
}

TEST(ReadJob, KnowsItsOwner) {
  EXPECT_TRUE(Read(Job()).owned);
  Json stranger = Job();
  stranger["metadata"]["ownerReferences"][0]["uid"] = "another";
  EXPECT_FALSE(Read(stranger).owned);
  stranger["metadata"].erase("ownerReferences");
  EXPECT_FALSE(Read(stranger).owned);
}

TEST(ReadJob, SaysWhyNoPodCouldBeCreated) {
  const auto job = Read(Job(), {},
                        {Warning("demo-1-1", "2026-03-01T12:00:05Z", "FailedCreate"),
                         Warning("demo-1-1", "2026-03-01T12:00:02Z", "Older"),
                         Warning("demo-2-1", "2026-03-01T12:00:09Z", "AnotherJobs")});
  EXPECT_EQ(job.phase, JobPhase::kPending);
  EXPECT_EQ(job.reason, "FailedCreate");
  EXPECT_EQ(job.message, "FailedCreate it said");
}

TEST(ReadJob, SaysWhyAPodIsNotScheduled) {
  const auto job = Read(
      Job(),
      {Pod({{"conditions", Json::array({Condition("PodScheduled", "False",
                                                  {{"reason", "Unschedulable"},
                                                   {"message", "0/1 nodes are available"}})})}})});
  EXPECT_EQ(job.phase, JobPhase::kPending);
  EXPECT_FALSE(job.scheduled.has_value());
  EXPECT_EQ(job.reason, "Unschedulable");
  EXPECT_EQ(job.message, "0/1 nodes are available");
}

TEST(ReadJob, SaysWhyAContainerDoesNotStart) {
  const auto job = Read(
      Job(),
      {Pod({{"conditions",
             Json::array({Condition("PodScheduled", "True",
                                    {{"lastTransitionTime", "2026-03-01T12:00:02Z"}})})},
            {"containerStatuses",
             Container({{"waiting",
                         {{"reason", "ImagePullBackOff"}, {"message", "no such image"}}}})}})});
  EXPECT_EQ(job.phase, JobPhase::kPending);
  EXPECT_EQ(job.scheduled, base::ParseTime("2026-03-01T12:00:02Z"));
  EXPECT_EQ(job.reason, "ImagePullBackOff");
  EXPECT_EQ(job.message, "no such image");
}

TEST(ReadJob, FollowsARunningWorker) {
  const kube::Object pod = Pod(
      {{"podIP", "10.1.2.3"},
       {"containerStatuses", Container({{"running", {{"startedAt", "2026-03-01T12:00:07Z"}}}})}});
  const auto job = Read(Job(), {pod});
  EXPECT_EQ(job.phase, JobPhase::kRunning);
  EXPECT_EQ(job.container_started, base::ParseTime("2026-03-01T12:00:07Z"));
  EXPECT_EQ(job.nodes, std::vector<std::string>{"node1"});
  EXPECT_EQ(ProgressUrl(*pod, 9400), "http://10.1.2.3:9400/v1/progress");
}

TEST(ReadJob, KeepsTheTerminationMessageAndItsTimes) {
  const kube::Object pod =
      Pod({{"podIP", "10.1.2.3"},
           {"containerStatuses", Container({{"terminated",
                                             {{"exitCode", 0},
                                              {"reason", "Completed"},
                                              {"message", "{\"outcome\":\"succeeded\"}"},
                                              {"startedAt", "2026-03-01T12:00:07Z"},
                                              {"finishedAt", "2026-03-01T12:01:07Z"}}}})}});
  EXPECT_EQ(Read(Job(), {pod}).phase, JobPhase::kRunning) << "the Job itself has not ended";
  const auto job = Read(Job({{"conditions", Json::array({Condition("Complete", "True")})}}), {pod});
  EXPECT_EQ(job.phase, JobPhase::kSucceeded);
  EXPECT_EQ(job.termination_message, "{\"outcome\":\"succeeded\"}");
  EXPECT_EQ(job.finished, base::ParseTime("2026-03-01T12:01:07Z"));
  EXPECT_EQ(job.reason, "");
  EXPECT_EQ(ProgressUrl(*pod, 9400), std::nullopt);
}

TEST(ReadJob, NamesHowAWorkerDied) {
  const auto job = Read(
      Job({{"conditions",
            Json::array({Condition("Failed", "True", {{"reason", "BackoffLimitExceeded"}})})}}),
      {Pod({{"containerStatuses",
             Container({{"terminated", {{"exitCode", 137}, {"reason", "OOMKilled"}}}})}})});
  EXPECT_EQ(job.phase, JobPhase::kFailed);
  EXPECT_EQ(job.reason, "OOMKilled");
  EXPECT_THAT(job.message, HasSubstr("exit code 137"));
}

TEST(ReadJob, BelievesThePodAboutAnEviction) {
  const auto job = Read(Job({{"conditions", Json::array({Condition("Failed", "True")})}}),
                        {Pod({{"reason", "Evicted"}, {"message", "The node was low on memory."}})});
  EXPECT_EQ(job.reason, "Evicted");
  EXPECT_EQ(job.message, "The node was low on memory.");
}

TEST(ReadJob, TakesTheJobsWordWhereThePodIsGone) {
  const auto job =
      Read(Job({{"conditions",
                 Json::array({Condition("Failed", "True",
                                        {{"reason", "BackoffLimitExceeded"},
                                         {"message", "Job has reached the specified backoff limit"},
                                         {"lastTransitionTime", "2026-03-01T12:03:00Z"}})})}}));
  EXPECT_EQ(job.phase, JobPhase::kFailed);
  EXPECT_EQ(job.reason, "BackoffLimitExceeded");
  EXPECT_EQ(job.finished, base::ParseTime("2026-03-01T12:03:00Z"));
}

TEST(PodOf, IsTheNewestOfTheJobsOwn) {
  const kube::Object old = Pod(Json::object(), "2026-03-01T12:00:01Z");
  const kube::Object young = Pod(Json::object(), "2026-03-01T12:00:09Z");
  EXPECT_EQ(PodOf(Job(), {young, old}), young);
  Json other = Job();
  other["metadata"]["uid"] = "another";
  EXPECT_EQ(PodOf(other, {young, old}), nullptr);
}

TEST(RunKeyOf, FindsTheRunOfEveryKind) {
  EXPECT_EQ(RunKeyOf(Job()), "bench/demo");
  EXPECT_EQ(RunKeyOf(Json{{"kind", "BenchmarkRun"},
                          {"metadata", {{"name", "demo"}, {"namespace", "bench"}}}}),
            "bench/demo");
  const auto about = [](const char* kind, const char* name) {
    return RunKeyOf(Json{{"metadata", {{"name", "x"}, {"namespace", "bench"}}},
                         {"involvedObject", {{"kind", kind}, {"name", name}}}});
  };
  EXPECT_EQ(about("Job", "my-run-w1-2"), "bench/my-run");
  EXPECT_EQ(about("Pod", "my-run-w1-2-x7k2p"), "bench/my-run");
  EXPECT_EQ(about("Job", "my-run-populate"), "bench/my-run");
  EXPECT_EQ(about("Pod", "my-run-populate-x7k2p"), "bench/my-run");
  EXPECT_EQ(about("Pod", "nginx"), std::nullopt);
  EXPECT_EQ(about("Node", "my-run-w1-2"), std::nullopt);
  EXPECT_EQ(RunKeyOf(Json{{"kind", "Pod"}}), std::nullopt);
  EXPECT_EQ(RunKeyOf(Json(nullptr)), std::nullopt);
}

TEST(ReadRun, RefusesASpecThatIsNone) {
  EXPECT_FALSE(ReadRun(Json{{"spec", {{"software", 7}}}}).has_value());
  EXPECT_FALSE(ReadRun(Json::object()).has_value());
}

}  // namespace
}  // namespace fairlap::control

#include "operator/kube/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/operator/kube/fake_transport.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string StatusBody(int code, const std::string& reason, const std::string& message) {
  return Json{{"kind", "Status"}, {"code", code}, {"reason", reason}, {"message", message}}.dump();
}

std::string Page(const std::string& name, const std::string& next) {
  return Json{{"kind", "JobList"},
              {"metadata", {{"resourceVersion", "7"}, {"continue", next}}},
              {"items", {{{"metadata", {{"name", name}}}}}}}
      .dump();
}

std::string EventLine(const std::string& type, const std::string& name) {
  return Json{{"type", type}, {"object", {{"metadata", {{"name", name}}}}}}.dump() + "\n";
}

const Json kJob = {{"kind", "Job"}, {"metadata", {{"namespace", "a/b"}, {"name", "j"}}}};

TEST(Client, AsksForOneObjectAtItsPath) {
  FakeTransport transport({{200, R"({"kind": "Job"})"}, {200, R"({"kind": "Pod"})"}});
  Client client(transport);
  EXPECT_EQ(client.Get(kJobs, "x", "j", {})->at("kind"), "Job");
  EXPECT_TRUE(client.Get(kPods, "x", "p", {}));
  EXPECT_EQ(transport.requests()[0].path, "/apis/batch/v1/namespaces/x/jobs/j");
  EXPECT_EQ(transport.requests()[1].path, "/api/v1/namespaces/x/pods/p");
}

TEST(Client, GivesEveryStatusItsKind) {
  const std::vector<std::pair<int, ErrorKind>> kinds{{301, ErrorKind::kInternal},
                                                     {400, ErrorKind::kInvalidInput},
                                                     {401, ErrorKind::kDenied},
                                                     {403, ErrorKind::kDenied},
                                                     {404, ErrorKind::kNotFound},
                                                     {405, ErrorKind::kInvalidInput},
                                                     {409, ErrorKind::kConflict},
                                                     {410, ErrorKind::kGone},
                                                     {413, ErrorKind::kInvalidInput},
                                                     {422, ErrorKind::kInvalidInput},
                                                     {429, ErrorKind::kIo},
                                                     {500, ErrorKind::kIo},
                                                     {503, ErrorKind::kIo}};
  for (const auto& [status, kind] : kinds) {
    FakeTransport transport({{status, ""}});
    Client client(transport);
    const auto answer = client.Get(kJobs, "x", "j", {});
    ASSERT_FALSE(answer) << status;
    EXPECT_EQ(answer.error().kind, kind) << status;
  }
}

TEST(Client, SaysWhatTheServerSaidAndWhereItWasAsked) {
  FakeTransport transport({{403, StatusBody(403, "Forbidden", "jobs \"j\" is forbidden: no")}});
  Client client(transport);
  EXPECT_EQ(client.Get(kJobs, "x", "j", {}).error().message,
            "jobs \"j\" is forbidden: no (GET /apis/batch/v1/namespaces/x/jobs/j: 403)");
}

TEST(Client, QuotesAnAnswerThatIsNoStatus) {
  FakeTransport transport({{404, "404 page not found\n"}, {500, " \n"}});
  Client client(transport);
  EXPECT_EQ(client.Get(kJobs, "x", "j", {}).error().message,
            "404 page not found (GET /apis/batch/v1/namespaces/x/jobs/j: 404)");
  EXPECT_THAT(client.Get(kJobs, "x", "j", {}).error().message,
              HasSubstr("refused without a message (GET"));
}

TEST(Client, QuotesTheBeginningOfAnAnswerThatIsNoStatus) {
  FakeTransport transport({{502, "<html>\x1b[31mbad gateway" + std::string(10'000, '!')}});
  Client client(transport);
  const std::string message = client.Get(kJobs, "x", "j", {}).error().message;
  EXPECT_THAT(message, AllOf(HasSubstr("bad gateway"), Not(HasSubstr("\x1b"))));
  EXPECT_LT(message.size(), 400);
}

TEST(Client, AnAnswerThatIsNoObjectIsAnError) {
  for (const char* body : {"", "[]", "{", "null"}) {
    FakeTransport transport({{200, body}});
    Client client(transport);
    EXPECT_EQ(client.Get(kJobs, "x", "j", {}).error().kind, ErrorKind::kInternal) << body;
  }
}

TEST(Client, ListsAllPages) {
  FakeTransport transport({{200, Page("a", "tok en")}, {200, Page("b", "")}});
  Client client(transport);
  ListOptions options;
  options.label_selector = "fairlap.dev/run=r,x!=y";
  options.limit = 1;
  const auto list = client.List(kJobs, options, {});
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->resource_version, "7");
  ASSERT_EQ(list->items.size(), 2);
  EXPECT_EQ(list->items[1].at("kind"), "Job");
  EXPECT_EQ(list->items[1].at("apiVersion"), "batch/v1");
  const std::string first =
      "/apis/batch/v1/jobs?limit=1&labelSelector=fairlap.dev%2Frun%3Dr%2Cx%21%3Dy";
  EXPECT_EQ(transport.requests()[0].path, first);
  EXPECT_EQ(transport.requests()[1].path, first + "&continue=tok%20en");
}

TEST(Client, StartsAListAgainThatExpiredOnce) {
  FakeTransport transport({{200, Page("a", "next")},
                           {410, StatusBody(410, "Expired", "too old")},
                           {200, Page("a", "")}});
  Client client(transport);
  const auto list = client.List(kJobs, {}, {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->items.size(), 1);
}

TEST(Client, GivesUpAListThatExpiredTwice) {
  FakeTransport transport({{410, ""}, {410, ""}});
  Client client(transport);
  EXPECT_EQ(client.List(kJobs, {}, {}).error().kind, ErrorKind::kGone);
}

TEST(Client, DoesNotPageInCircles) {
  FakeTransport transport({{200, Page("a", "next")}, {200, Page("a", "next")}});
  Client client(transport);
  EXPECT_EQ(client.List(kJobs, {}, {}).error().kind, ErrorKind::kInternal);
}

TEST(Client, CreatesStrictlyAndInTheObjectsNamespace) {
  FakeTransport transport({{201, "{}"}, {201, "{}"}});
  Client client(transport);
  EXPECT_TRUE(client.Create(kJobs, kJob, {}));
  EXPECT_TRUE(client.Create(kJobs, kJob, {}, true));
  const HttpRequest request = transport.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/apis/batch/v1/namespaces/a%2Fb/jobs?fieldValidation=Strict");
  EXPECT_EQ(Json::parse(request.body), kJob);
  EXPECT_THAT(transport.requests()[1].path, HasSubstr("&dryRun=All"));
}

TEST(Client, DeletesTheObjectOfThatUidInTheBackground) {
  FakeTransport transport({{200, "{}"}, {200, "{}"}});
  Client client(transport);
  EXPECT_TRUE(client.Delete(kJobs, "x", "j", "u-1", {}));
  EXPECT_TRUE(client.Delete(kJobs, "x", "j", "", {}));
  const HttpRequest request = transport.requests()[0];
  EXPECT_EQ(request.method, "DELETE");
  const Json options = Json::parse(request.body);
  EXPECT_EQ(options.at("propagationPolicy"), "Background");
  EXPECT_EQ(options.at("preconditions").at("uid"), "u-1");
  EXPECT_FALSE(Json::parse(transport.requests()[1].body).contains("preconditions"));
}

TEST(Client, WhatIsGoneAlreadyCountsAsDeleted) {
  FakeTransport transport({{404, ""}, {409, ""}});
  Client client(transport);
  EXPECT_TRUE(client.Delete(kJobs, "x", "j", "u-1", {}));
  EXPECT_EQ(client.Delete(kJobs, "x", "j", "u-1", {}).error().kind, ErrorKind::kConflict);
}

TEST(Client, WritesTheStatusAlone) {
  FakeTransport transport({{200, "{}"}});
  Client client(transport);
  EXPECT_TRUE(client.ReplaceStatus(kJobs, kJob, {}));
  EXPECT_EQ(transport.requests()[0].method, "PUT");
  EXPECT_EQ(transport.requests()[0].path, "/apis/batch/v1/namespaces/a%2Fb/jobs/j/status");
}

TEST(Client, SendsAMergePatch) {
  FakeTransport transport({{200, "{}"}});
  Client client(transport);
  EXPECT_TRUE(client.Patch(kJobs, "x", "j", {{"metadata", {{"labels", nullptr}}}}, {}));
  EXPECT_EQ(transport.requests()[0].method, "PATCH");
  EXPECT_EQ(transport.requests()[0].content_type, "application/merge-patch+json");
  EXPECT_EQ(transport.requests()[0].body, R"({"metadata":{"labels":null}})");
}

TEST(Client, KeepsTheLastBytesOfALog) {
  for (const size_t piece : {1, 3, 100}) {
    FakeTransport transport({{200, "0123456789", {}, {}, piece}});
    Client client(transport);
    EXPECT_EQ(*client.PodLog("x", "p", "worker", 4, {}), "6789") << piece;
    EXPECT_EQ(transport.requests()[0].path, "/api/v1/namespaces/x/pods/p/log?container=worker");
  }
}

TEST(Client, ALogThatWasNotReadToItsEndIsAnError) {
  FakeTransport transport({{200, "01", {}, {}, 1, StreamEnd::kSilence}});
  Client client(transport);
  EXPECT_EQ(client.PodLog("x", "p", "worker", 4, {}).error().kind, ErrorKind::kIo);
}

struct Seen {
  std::vector<std::string> events;
  base::Status result;
};

Seen Watch(Step step) {
  FakeTransport transport({std::move(step)});
  Client client(transport);
  Seen seen;
  seen.result = client.Watch(
      kJobs, {}, "5",
      [&](const std::string& type, const Json& object) {
        seen.events.push_back(type + " " + object.at("metadata").at("name").get<std::string>());
      },
      {});
  return seen;
}

TEST(ClientWatch, AsksForBookmarksFromAVersionOnForFourToEightMinutes) {
  FakeTransport transport({{200, ""}});
  Client client(transport);
  EXPECT_TRUE(client.Watch(kJobs, {"x", "a=b", "", 0}, "5", nullptr, {}));
  const std::string path = transport.requests()[0].path;
  EXPECT_THAT(path, HasSubstr("/apis/batch/v1/namespaces/x/jobs?watch=1&allowWatchBookmarks=true"
                              "&resourceVersion=5&timeoutSeconds="));
  EXPECT_THAT(path, HasSubstr("&labelSelector=a%3Db"));
  const int seconds = std::stoi(path.substr(path.find("timeoutSeconds=") + 15));
  EXPECT_GE(seconds, 240);
  EXPECT_LE(seconds, 480);
}

TEST(ClientWatch, GivesEachEventHoweverTheBytesAreCut) {
  const std::string body =
      EventLine("ADDED", "\u00e4") + "\n" + EventLine("MODIFIED", "b") + EventLine("DELETED", "c");
  for (size_t piece = 1; piece <= body.size(); ++piece) {
    const Seen seen = Watch({200, body, {}, {}, piece});
    EXPECT_TRUE(seen.result);
    EXPECT_THAT(seen.events, ElementsAre("ADDED \u00e4", "MODIFIED b", "DELETED c")) << piece;
  }
}

TEST(ClientWatch, LeavesOutAnEventThatTheEndCutOff) {
  const Seen seen = Watch({200, EventLine("ADDED", "a") + R"({"type": "ADD)"});
  EXPECT_TRUE(seen.result);
  EXPECT_THAT(seen.events, ElementsAre("ADDED a"));
}

TEST(ClientWatch, AnExpiredVersionIsGoneAsAStatusAndAsAnEvent) {
  const std::string status = StatusBody(410, "Expired", "too old resource version: 5 (9)");
  EXPECT_EQ(Watch({410, status}).result.error().kind, ErrorKind::kGone);
  const Seen seen = Watch({200, EventLine("ADDED", "a") + R"({"type":"ERROR","object":)" + status +
                                    "}\n" + EventLine("ADDED", "b")});
  EXPECT_THAT(seen.events, ElementsAre("ADDED a"));
  ASSERT_FALSE(seen.result);
  EXPECT_EQ(seen.result.error().kind, ErrorKind::kGone);
  EXPECT_EQ(seen.result.error().message,
            "too old resource version: 5 (9) (watching /apis/batch/v1/jobs)");
}

TEST(ClientWatch, OtherErrorEventsKeepTheirMeaning) {
  const auto kind_of = [](int code) {
    return Watch({200, R"({"type":"ERROR","object":)" + StatusBody(code, "", "x") + "}\n"})
        .result.error()
        .kind;
  };
  EXPECT_EQ(kind_of(500), ErrorKind::kIo);
  EXPECT_EQ(kind_of(403), ErrorKind::kDenied);
}

TEST(ClientWatch, WhatIsNoEventIsAnInternalError) {
  for (const char* line : {"nonsense", "[]", "{}", R"({"type":"ADDED"})",
                           R"({"type":"ADDED","object":[]})", R"({"type":"NEW","object":{}})"}) {
    const Seen seen = Watch({200, std::string(line) + "\n"});
    ASSERT_FALSE(seen.result) << line;
    EXPECT_EQ(seen.result.error().kind, ErrorKind::kInternal) << line;
  }
}

TEST(ClientWatch, EndsAtAnEventOfMoreThan8MiB) {
  const Seen seen = Watch({200, std::string(9 << 20, 'x'), {}, {}, 1 << 20});
  ASSERT_FALSE(seen.result);
  EXPECT_EQ(seen.result.error().kind, ErrorKind::kInternal);
  EXPECT_THAT(seen.result.error().message, HasSubstr("larger than 8 MiB"));
}

TEST(ClientWatch, AQuietWatchHasEndedButABrokenOneHasFailed) {
  EXPECT_TRUE(Watch({200, "", {}, {}, 1, StreamEnd::kSilence}).result);
  const Seen seen = Watch({200, EventLine("ADDED", "a"), {}, base::Error{ErrorKind::kIo, "reset"}});
  EXPECT_THAT(seen.events, ElementsAre("ADDED a"));
  EXPECT_EQ(seen.result.error().kind, ErrorKind::kIo);
}

TEST(Client, RemembersHowLongTheServerAsksForPeace) {
  FakeTransport transport(
      {{200, "{}", std::chrono::seconds(900)}, {429, "", std::chrono::seconds(90)}, {503, ""}});
  Client client(transport);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(client.Get(kJobs, "x", "j", {}));
  EXPECT_LT(client.not_before(), begin);  // a success asks for nothing
  EXPECT_FALSE(client.Get(kJobs, "x", "j", {}));
  EXPECT_FALSE(client.Get(kJobs, "x", "j", {}));
  EXPECT_GE(client.not_before(), begin + std::chrono::seconds(90));
}

TEST(FindResource, KnowsOurKindsAlone) {
  EXPECT_EQ(FindResource("Job"), &kJobs);
  EXPECT_EQ(FindResource("BenchmarkRun"), &kBenchmarkRuns);
  EXPECT_EQ(FindResource("Secret"), nullptr);
}

}  // namespace
}  // namespace fairlap::kube

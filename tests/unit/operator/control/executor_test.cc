#include "operator/control/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace fairlap::control {
namespace {

using base::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Answers from a list and notes what was asked: for faults that a real API server does not give on
// demand. tests/integration has the rest.
class ScriptedTransport final : public kube::Transport {
 public:
  base::Result<kube::HttpResponse> Send(const kube::HttpRequest& request,
                                        std::stop_token) override {
    asked.push_back(request.method + " " + request.path.substr(0, request.path.find('?')));
    if (answers.empty()) return base::MakeError(base::ErrorKind::kIo, "connection refused");
    kube::HttpResponse response = answers.front();
    answers.pop_front();
    return response;
  }
  base::Result<kube::HttpResponse> Stream(const kube::StreamRequest&,
                                          const std::function<bool(std::string_view)>&,
                                          std::stop_token) override {
    return kube::HttpResponse{};
  }

  std::deque<kube::HttpResponse> answers;
  std::vector<std::string> asked;
};

kube::HttpResponse Answer(int status, const Json& body) { return {status, body.dump(), {}}; }
kube::HttpResponse Refuse(int status, const std::string& message) {
  return Answer(status, {{"kind", "Status"}, {"message", message}, {"code", status}});
}

class Execute : public testing::Test {
 protected:
  Execute() {
    run.name = "demo";
    run.ns = "bench";
    run.uid = "run-uid";
  }
  Applied Do(std::vector<plan::Action> actions) {
    kube::Client client(transport);
    return Apply(actions, run, client, {});
  }
  static plan::Action CreateJob(const std::string& name) {
    return plan::CreateObject{Json{{"apiVersion", "batch/v1"},
                                   {"kind", "Job"},
                                   {"metadata", {{"name", name}, {"namespace", "bench"}}}}};
  }
  static Json OwnedBy(const std::string& uid) {
    return {{"kind", "Job"},
            {"metadata",
             {{"name", "demo-1-1"},
              {"ownerReferences", Json::array({Json{{"uid", uid}, {"controller", true}}})}}}};
  }

  ScriptedTransport transport;
  plan::ObservedRun run;
};

TEST_F(Execute, CreatesInOrder) {
  transport.answers = {Answer(201, Json::object()), Answer(201, Json::object())};
  EXPECT_TRUE(Do({CreateJob("a"), CreateJob("b")}).ok());
  EXPECT_THAT(transport.asked, ElementsAre("POST /apis/batch/v1/namespaces/bench/jobs",
                                           "POST /apis/batch/v1/namespaces/bench/jobs"));
}

TEST_F(Execute, TakesWhatItCreatedBeforeACrashForCreated) {
  transport.answers = {Refuse(409, "already exists"), Answer(200, OwnedBy("run-uid")),
                       Answer(201, Json::object())};
  EXPECT_TRUE(Do({CreateJob("demo-1-1"), CreateJob("b")}).ok());
  EXPECT_EQ(transport.asked.size(), 3U);
}

TEST_F(Execute, LeavesSomebodyElsesObjectAlone) {
  transport.answers = {Refuse(409, "already exists"), Answer(200, OwnedBy("another"))};
  const Applied applied = Do({CreateJob("demo-1-1"), CreateJob("b")});
  EXPECT_EQ(applied.foreign, "Job demo-1-1");
  EXPECT_EQ(transport.asked.size(), 2U) << "nothing after it is tried";
}

TEST_F(Execute, PassesOnWhatTheServerSaysOfAQuota) {
  transport.answers = {Refuse(403, "jobs.batch is forbidden: exceeded quota")};
  const Applied applied = Do({CreateJob("a")});
  ASSERT_TRUE(applied.refusal.has_value());
  EXPECT_FALSE(applied.refusal->final);
  EXPECT_THAT(applied.refusal->message, HasSubstr("exceeded quota"));
}

TEST_F(Execute, CallsAnInvalidObjectFinal) {
  transport.answers = {Refuse(422, "Job is invalid: spec: too long")};
  const Applied applied = Do({CreateJob("a")});
  ASSERT_TRUE(applied.refusal.has_value());
  EXPECT_TRUE(applied.refusal->final);
}

TEST_F(Execute, TriesAgainLaterWhereTheServerCannot) {
  for (const int status : {429, 500, 503}) {
    transport.answers = {Refuse(status, "busy")};
    const Applied applied = Do({CreateJob("a")});
    EXPECT_FALSE(applied.status.has_value()) << status;
    EXPECT_FALSE(applied.refusal.has_value()) << status;
  }
  EXPECT_FALSE(Do({CreateJob("a")}).status.has_value()) << "the network is away";
}

TEST_F(Execute, DeletesOnlyWhatWasMeant) {
  transport.answers = {Refuse(409, "the UID in the precondition does not match")};
  EXPECT_TRUE(Do({plan::DeleteObject{"Job", "demo-1-1", "old-uid"}}).ok());
  transport.answers = {Refuse(404, "not found")};
  EXPECT_TRUE(Do({plan::DeleteObject{"Job", "demo-1-1", "old-uid"}}).ok());
  EXPECT_THAT(transport.asked.back(), StartsWith("DELETE /apis/batch/v1/namespaces/bench/jobs/"));
}

TEST_F(Execute, TheSameEventHasTheSameName) {
  kube::Client client(transport);
  transport.answers = {Answer(201, Json::object()), Refuse(409, "already exists")};
  const plan::Event event{"Normal", "JobCreated", "created job demo-1-1"};
  EXPECT_TRUE(SendEvent(event, run, {}, client, {}).has_value());
  EXPECT_TRUE(SendEvent(event, run, {}, client, {}).has_value());
}

}  // namespace
}  // namespace fairlap::control

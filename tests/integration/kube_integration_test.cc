// The Kubernetes client against a real kube-apiserver: run by with_control_plane.sh.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "operator/kube/client.h"
#include "operator/kube/cpprest_transport.h"
#include "operator/kube/credentials.h"
#include "operator/kube/store.h"
#include "operator/kube/watcher.h"
#include "tests/integration/certificates.h"
#include "tests/integration/transport_contract.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;
using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr Resource kNamespaces{"v1", "namespaces", "Namespace"};
constexpr Resource kAccounts{"v1", "serviceaccounts", "ServiceAccount"};

Credentials Admin() {
  const char* path = std::getenv("FAIRLAP_KUBECONFIG");
  auto credentials = ReadKubeconfig(path == nullptr ? "FAIRLAP_KUBECONFIG is not set" : path);
  EXPECT_TRUE(credentials) << credentials.error().message;
  return credentials ? *credentials : Credentials{};
}

std::shared_ptr<Transport> Connect(Credentials credentials) {
  auto transport = MakeCpprestTransport(std::move(credentials));
  EXPECT_TRUE(transport) << transport.error().message;
  return std::move(*transport);
}

ContractTarget ApiServer() {
  ContractTarget target{nullptr, Connect(Admin())};
  target.quiet = "/api/v1/namespaces/nobody/configmaps?watch=1";
  return target;
}

INSTANTIATE_TEST_SUITE_P(ApiServer, TransportContract, testing::Values(MakeTarget(ApiServer)));

// A namespace for each test.
class KubeTest : public testing::Test {
 protected:
  void SetUp() override {
    static std::atomic<int> count = 0;
    ns_ = "t" + std::to_string(::getpid()) + "-" + std::to_string(++count);
    const auto created = client_.Create(
        kNamespaces, {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", ns_}}}},
        {});
    ASSERT_TRUE(created) << created.error().message;
  }

  Json MakeConfigMap(const std::string& name) const {
    return {{"apiVersion", "v1"},
            {"kind", "ConfigMap"},
            {"metadata", {{"namespace", ns_}, {"name", name}, {"labels", {{"set", "a"}}}}},
            {"data", {{"text", "gr\u00fc\u00df dich"}}}};
  }
  Json MakeRun(const std::string& name) const {
    return {{"apiVersion", "fairlap.dev/v1alpha1"},
            {"kind", "BenchmarkRun"},
            {"metadata", {{"namespace", ns_}, {"name", name}}},
            {"spec",
             {{"software", {{"model", "resnet50"}}},
              {"problem",
               {{"dataset", {{"format", "synthetic"}, {"synthetic", {{"samples", 2000}}}}},
                {"optimizer", {{"learningRate", "0.01"}}},
                {"stop", {{"steps", 10}}},
                {"batchSize", 16}}}}}};
  }
  Json Create(const Resource& resource, const Json& object) {
    const auto created = client_.Create(resource, object, {});
    EXPECT_TRUE(created) << created.error().message;
    return created ? *created : Json::object();
  }
  ListOptions Ours() const {
    ListOptions options;
    options.ns = ns_;
    options.label_selector = "set in (a, b)";
    return options;
  }

  const std::shared_ptr<Transport> transport_ = Connect(Admin());
  Client client_{*transport_};
  std::string ns_;
};

TEST_F(KubeTest, GivesBackWhatWasCreated) {
  const Json created = Create(kConfigMaps, MakeConfigMap("a"));
  const auto read = client_.Get(kConfigMaps, ns_, "a", {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, created);
  EXPECT_EQ(read->at("data").at("text"), "gr\u00fc\u00df dich");
  EXPECT_EQ(client_.Get(kConfigMaps, ns_, "b", {}).error().kind, ErrorKind::kNotFound);
}

TEST_F(KubeTest, ASecondObjectOfThatNameIsAConflict) {
  Create(kConfigMaps, MakeConfigMap("a"));
  const auto again = client_.Create(kConfigMaps, MakeConfigMap("a"), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::kConflict);
  EXPECT_THAT(again.error().message, testing::StartsWith("configmaps \"a\" already exists (POST "));
}

TEST_F(KubeTest, ADryRunChecksAndCreatesNothing) {
  const auto checked = client_.Create(kBenchmarkRuns, MakeRun("a"), {}, true);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(client_.Get(kBenchmarkRuns, ns_, "a", {}).error().kind, ErrorKind::kNotFound);
}

TEST_F(KubeTest, ListsPageByPage) {
  for (const char* name : {"a", "b", "c", "d", "e"}) Create(kConfigMaps, MakeConfigMap(name));
  ListOptions options = Ours();
  options.limit = 2;
  const auto list = client_.List(kConfigMaps, options, {});
  ASSERT_TRUE(list) << list.error().message;
  std::vector<std::string> names;
  for (const Json& item : list->items) {
    names.push_back(item.at("metadata").at("name"));
    EXPECT_EQ(item.at("kind"), "ConfigMap");
    EXPECT_EQ(item.at("apiVersion"), "v1");
  }
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "e"));
}

// What a watch has said so far.
class Heard {
 public:
  void Add(const std::string& type, const Json& object) {
    const std::lock_guard lock(mutex_);
    if (type != "BOOKMARK") {
      events_.push_back(type + " " + object.at("metadata").at("name").get<std::string>());
    }
    changed_.notify_all();
  }
  std::vector<std::string> WaitFor(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kSoon, [&] { return events_.size() >= count; });
    return events_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> events_;
};

TEST_F(KubeTest, AWatchSeesEveryChangeWhenItHappens) {
  const auto list = client_.List(kConfigMaps, Ours(), {});
  ASSERT_TRUE(list) << list.error().message;
  Heard heard;
  base::Status ended;
  std::jthread watch([&](const std::stop_token& stop) {
    ended = client_.Watch(
        kConfigMaps, Ours(), list->resource_version,
        [&](const std::string& type, const Json& object) { heard.Add(type, object); }, stop);
  });
  Create(kConfigMaps, MakeConfigMap("a"));
  EXPECT_THAT(heard.WaitFor(1), ElementsAre("ADDED a"));
  EXPECT_TRUE(client_.Patch(kConfigMaps, ns_, "a", {{"data", {{"text", nullptr}}}}, {}));
  EXPECT_THAT(heard.WaitFor(2), ElementsAre("ADDED a", "MODIFIED a"));
  EXPECT_TRUE(client_.Delete(kConfigMaps, ns_, "a", "", {}));
  EXPECT_THAT(heard.WaitFor(3), ElementsAre("ADDED a", "MODIFIED a", "DELETED a"));
  const auto begin = steady_clock::now();
  watch.request_stop();
  watch.join();
  EXPECT_LT(steady_clock::now() - begin, kSoon);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::kInterrupted);
}

TEST_F(KubeTest, AWatchFromAVersionThatIsTooOldIsGone) {
  const auto watched = client_.Watch(kBenchmarkRuns, {}, "1", nullptr, {});
  ASSERT_FALSE(watched);
  EXPECT_EQ(watched.error().kind, ErrorKind::kGone) << watched.error().message;
}

TEST_F(KubeTest, DeletesOnlyTheObjectOfThatUid) {
  const std::string uid = Create(kConfigMaps, MakeConfigMap("a")).at("metadata").at("uid");
  const auto refused = client_.Delete(kConfigMaps, ns_, "a", "another", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kConflict) << refused.error().message;
  EXPECT_TRUE(client_.Get(kConfigMaps, ns_, "a", {}));
  EXPECT_TRUE(client_.Delete(kConfigMaps, ns_, "a", uid, {}));
  EXPECT_EQ(client_.Get(kConfigMaps, ns_, "a", {}).error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(client_.Delete(kConfigMaps, ns_, "a", uid, {}));
}

TEST_F(KubeTest, AStatusMadeFromAnOldVersionIsAConflict) {
  Json run = Create(kBenchmarkRuns, MakeRun("a"));
  run["status"] = {{"observedGeneration", 1}};
  const auto written = client_.ReplaceStatus(kBenchmarkRuns, run, {});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->at("status").at("observedGeneration"), 1);
  run["status"] = {{"observedGeneration", 2}};
  const auto stale = client_.ReplaceStatus(kBenchmarkRuns, run, {});
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().kind, ErrorKind::kConflict);
}

TEST_F(KubeTest, AnUnknownFieldIsRefusedByName) {
  Json run = MakeRun("a");
  run["spec"]["unheardOf"] = 1;
  const auto refused = client_.Create(kBenchmarkRuns, run, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("spec.unheardOf"));
}

TEST_F(KubeTest, AValueThatTheSchemaForbidsIsRefusedByName) {
  Json run = MakeRun("a");
  run["spec"]["software"]["model"] = "perceptron";
  const auto refused = client_.Create(kBenchmarkRuns, run, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("spec.software.model"));
}

TEST_F(KubeTest, TheLogOfAPodThatRunsNowhereIsAnError) {
  Create(kPods, {{"apiVersion", "v1"},
                 {"kind", "Pod"},
                 {"metadata", {{"namespace", ns_}, {"name", "p"}}},
                 {"spec", {{"containers", {{{"name", "worker"}, {"image", "none"}}}}}}});
  const auto log = client_.PodLog(ns_, "p", "worker", 1024, {});
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error().message, HasSubstr("GET /api/v1/namespaces/" + ns_ + "/pods/p/log"));
}

TEST_F(KubeTest, WhoMayNothingIsToldSoInTheServersWords) {
  Create(kAccounts, {{"apiVersion", "v1"},
                     {"kind", "ServiceAccount"},
                     {"metadata", {{"namespace", ns_}, {"name", "nobody"}}}});
  HttpRequest request;
  request.method = "POST";
  request.path = "/api/v1/namespaces/" + ns_ + "/serviceaccounts/nobody/token";
  request.body =
      R"({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}})";
  const auto token = transport_->Send(request, {});
  ASSERT_TRUE(token) << token.error().message;
  ASSERT_EQ(token->status, 201) << token->body;
  Credentials nobody;
  nobody.server = Admin().server;
  nobody.ca_pem = Admin().ca_pem;
  nobody.token = Json::parse(token->body).at("status").at("token");
  const auto transport = Connect(nobody);
  const auto list = Client(*transport).List(kJobs, Ours(), {});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().kind, ErrorKind::kDenied);
  EXPECT_THAT(list.error().message,
              testing::StartsWith("jobs.batch is forbidden: User \"system:serviceaccount:" + ns_ +
                                  ":nobody\" cannot list resource \"jobs\""));
  nobody.token = "invented";
  const auto stranger = Connect(nobody);
  EXPECT_EQ(Client(*stranger).List(kJobs, Ours(), {}).error().kind, ErrorKind::kDenied);
}

TEST_F(KubeTest, AServerOfAnotherAuthorityIsNotTrusted) {
  Credentials credentials = Admin();
  credentials.ca_pem = Authority().pem();
  const auto transport = Connect(credentials);
  const auto read = Client(*transport).Get(kConfigMaps, ns_, "a", {});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::kIo);
  EXPECT_THAT(read.error().message, HasSubstr("certificate verify failed"));
}

// Counts what a watcher reports, and waits for what its store holds.
class Watching {
 public:
  Watching(Client& client, ListOptions options)
      : store_(
            [](const Json& object) {
              return std::optional<std::string>(object.at("metadata").at("name"));
            },
            [this](const std::string&) { Note(nullptr); }),
        watcher_(kConfigMaps, std::move(options), client, store_, MakeObserver()) {}

  bool WaitForFailure(int count) {
    return WaitUntil([&] { return failed_ >= count; });
  }
  bool WaitForNames(const std::vector<std::string>& names) {
    return WaitUntil([&] { return watcher_.synced() && store_.RunKeys() == names; });
  }
  int failed() const { return failed_; }

 private:
  WatcherObserver MakeObserver() {
    WatcherObserver observer;
    observer.listed = [this](const Resource&, size_t) { Note(nullptr); };
    observer.failed = [this](const Resource&, const base::Error&) { Note(&failed_); };
    return observer;
  }
  void Note(std::atomic<int>* counter) {
    const std::lock_guard lock(mutex_);
    if (counter != nullptr) ++*counter;
    changed_.notify_all();
  }
  template <class Condition>
  bool WaitUntil(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, condition);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<int> failed_ = 0;
  Store store_;
  Watcher watcher_;
};

TEST_F(KubeTest, AStoreFollowsWhatHappens) {
  Create(kConfigMaps, MakeConfigMap("a"));
  Watching watching(client_, Ours());
  EXPECT_TRUE(watching.WaitForNames({"a"}));
  Create(kConfigMaps, MakeConfigMap("b"));
  EXPECT_TRUE(watching.WaitForNames({"a", "b"}));
  EXPECT_TRUE(client_.Delete(kConfigMaps, ns_, "a", "", {}));
  EXPECT_TRUE(watching.WaitForNames({"b"}));
  EXPECT_EQ(watching.failed(), 0);
}

bool Command(const char* variable) {
  const char* command = std::getenv(variable);
  return command != nullptr && std::system(command) == 0;  // NOLINT(concurrency-mt-unsafe)
}

TEST_F(KubeTest, AStoreCatchesUpWhenTheApiServerIsBackAgain) {
  Create(kConfigMaps, MakeConfigMap("a"));
  Watching watching(client_, Ours());
  ASSERT_TRUE(watching.WaitForNames({"a"}));
  ASSERT_TRUE(Command("FAIRLAP_STOP_API"));
  EXPECT_TRUE(watching.WaitForFailure(2));
  EXPECT_EQ(client_.Get(kConfigMaps, ns_, "a", {}).error().kind, ErrorKind::kIo);
  ASSERT_TRUE(Command("FAIRLAP_START_API"));
  EXPECT_TRUE(client_.Delete(kConfigMaps, ns_, "a", "", {}));
  Create(kConfigMaps, MakeConfigMap("b"));
  EXPECT_TRUE(watching.WaitForNames({"b"}));
}

}  // namespace
}  // namespace fairlap::kube

#include "operator/kube/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/operator/kube/fake_transport.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr WatcherDelays kFast{milliseconds(1), milliseconds(4), 1};

Json MakeObject(const std::string& name, const std::string& version) {
  return {{"metadata", {{"namespace", "x"}, {"name", name}, {"resourceVersion", version}}}};
}

std::string ListBody(const std::string& version, const std::vector<std::string>& names) {
  Json items = Json::array();
  for (const std::string& name : names) items.push_back(MakeObject(name, version));
  return Json{{"metadata", {{"resourceVersion", version}}}, {"items", items}}.dump();
}

std::string EventLine(const std::string& type, const std::string& name,
                      const std::string& version) {
  return Json{{"type", type}, {"object", MakeObject(name, version)}}.dump() + "\n";
}

const std::string kExpired =
    R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"x"}})"
    "\n";

// Plays a script to its end; the watcher is then in the middle of a call, where it is stopped.
struct Played {
  explicit Played(std::deque<Step> steps, WatcherDelays delays = kFast)
      : transport(std::move(steps)) {
    WatcherObserver observer;
    observer.listed = [this](const Resource&, size_t count) { listed.push_back(count); };
    observer.watch_ended = [this](const Resource&) { ++ended; };
    observer.failed = [this](const Resource&, const base::Error& error) {
      failed.push_back(error.kind);
    };
    const Watcher watcher(kJobs, {}, client, store, observer, delays);
    transport.WaitUntilPlayed();
    synced = watcher.synced();
  }
  std::string Path(size_t index) { return transport.requests().at(index).path; }

  FakeTransport transport;
  Client client{transport};
  Store store{[](const Json&) { return std::optional<std::string>(); }, [](const std::string&) {}};
  std::vector<size_t> listed;
  int ended = 0;
  std::vector<ErrorKind> failed;
  bool synced = false;
};

TEST(Watcher, IsNotSyncedBeforeTheFirstList) {
  EXPECT_FALSE(Played({}).synced);
  EXPECT_FALSE(Played({{500, ""}}).synced);
}

TEST(Watcher, ListsAndWatchesFromThere) {
  Played played({{200, ListBody("5", {"a", "b"})}});
  EXPECT_TRUE(played.synced);
  EXPECT_EQ(played.store.size(), 2);
  EXPECT_THAT(played.listed, ElementsAre(2));
  EXPECT_THAT(played.Path(1), HasSubstr("resourceVersion=5&"));
}

TEST(Watcher, AppliesEventsAndGoesOnFromTheLast) {
  Played played({{200, ListBody("5", {"a", "b"})},
                 {200, EventLine("ADDED", "c", "6") + EventLine("DELETED", "a", "7") +
                           EventLine("MODIFIED", "b", "8")}});
  EXPECT_EQ(played.store.Find("x", "a"), nullptr);
  EXPECT_NE(played.store.Find("x", "c"), nullptr);
  EXPECT_EQ(played.store.Find("x", "b")->at("metadata").at("resourceVersion"), "8");
  EXPECT_THAT(played.Path(2), HasSubstr("watch=1"));
  EXPECT_THAT(played.Path(2), HasSubstr("resourceVersion=8&"));
  EXPECT_EQ(played.ended, 1);
  EXPECT_THAT(played.failed, SizeIs(0));
}

TEST(Watcher, GoesOnFromABookmarkWithoutTakingItForAnObject) {
  Played played({{200, ListBody("5", {})}, {200, EventLine("BOOKMARK", "", "90")}});
  EXPECT_EQ(played.store.size(), 0);
  EXPECT_THAT(played.Path(2), HasSubstr("resourceVersion=90&"));
}

TEST(Watcher, ListsAgainWhenItsVersionIsTooOldAsAStatus) {
  Played played({{200, ListBody("5", {"a"})}, {410, ""}, {200, ListBody("9", {"b"})}});
  EXPECT_EQ(played.store.Find("x", "a"), nullptr);
  EXPECT_NE(played.store.Find("x", "b"), nullptr);
  EXPECT_THAT(played.Path(2), Not(HasSubstr("watch=1")));
  EXPECT_THAT(played.Path(3), HasSubstr("resourceVersion=9&"));
  EXPECT_THAT(played.failed, ElementsAre(ErrorKind::kGone));
}

TEST(Watcher, ListsAgainWhenItsVersionIsTooOldAsAnEvent) {
  Played played({{200, ListBody("5", {"a"})},
                 {200, EventLine("ADDED", "c", "6") + kExpired},
                 {200, ListBody("9", {"b"})}});
  EXPECT_EQ(played.store.size(), 1);
  EXPECT_THAT(played.listed, ElementsAre(1, 1));
}

TEST(Watcher, ListsAgainAfterWhatItCannotRead) {
  Played played({{200, ListBody("5", {"a"})}, {200, "nonsense\n"}, {200, ListBody("9", {"b"})}});
  EXPECT_THAT(played.listed, ElementsAre(1, 1));
  EXPECT_THAT(played.failed, ElementsAre(ErrorKind::kInternal));
}

TEST(Watcher, GoesOnFromWhereItWasWhenTheConnectionBreaks) {
  Played played({{200, ListBody("5", {})},
                 {200, EventLine("ADDED", "a", "6"), {}, base::Error{ErrorKind::kIo, "reset"}},
                 {503, ""}});
  EXPECT_THAT(played.Path(2), HasSubstr("resourceVersion=6&"));
  EXPECT_THAT(played.Path(3), HasSubstr("resourceVersion=6&"));
  EXPECT_THAT(played.listed, ElementsAre(0));
  EXPECT_THAT(played.failed, ElementsAre(ErrorKind::kIo, ErrorKind::kIo));
}

TEST(Watcher, KeepsItsVersionThroughWatchesThatAreClosedAgainAndAgain) {
  std::deque<Step> steps{{200, ListBody("5", {})}};
  for (int i = 0; i < 20; ++i) steps.push_back({200, ""});
  Played played(std::move(steps));
  EXPECT_EQ(played.ended, 20);
  EXPECT_THAT(played.listed, ElementsAre(0));
  EXPECT_THAT(played.Path(21), HasSubstr("resourceVersion=5&"));
}

TEST(Watcher, PausesBeforeItAsksAServerAgainThatClosesAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  const WatcherDelays delays{milliseconds(20), milliseconds(40), 1};
  Played played({{200, ListBody("5", {})}, {200, ""}, {200, ""}, {200, ""}}, delays);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(10 + 20 + 20));
}

TEST(Watcher, WaitsAsLongAsTheServerAsks) {
  const auto begin = std::chrono::steady_clock::now();
  Played played({{429, "", std::chrono::seconds(1)}, {200, ListBody("5", {})}});
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Watcher, EndsAtOnceInTheMiddleOfAPause) {
  const auto begin = std::chrono::steady_clock::now();
  FakeTransport transport({{500, ""}});
  Client client(transport);
  Store store([](const Json&) { return std::optional<std::string>(); }, [](const std::string&) {});
  std::mutex mutex;
  std::condition_variable changed;
  bool failed = false;
  WatcherObserver observer;
  observer.failed = [&](const Resource&, const base::Error&) {
    const std::lock_guard lock(mutex);
    failed = true;
    changed.notify_all();
  };
  {
    const Watcher watcher(kJobs, {}, client, store, observer,
                          {std::chrono::minutes(5), std::chrono::minutes(5)});
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return failed; });
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
}

TEST(Watcher, DoesNotTakeItsOwnStopForAFailure) {
  EXPECT_THAT(Played({{200, ListBody("5", {})}}).failed, SizeIs(0));
}

}  // namespace
}  // namespace fairlap::kube

#include "operator/kube/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fairlap::kube {
namespace {

using base::Json;
using testing::ElementsAre;
using testing::IsEmpty;

Json MakeObject(const std::string& name, const std::string& run, const std::string& version = "1") {
  return {{"metadata", {{"namespace", "x"}, {"name", name}, {"resourceVersion", version}}},
          {"run", run}};
}

std::optional<std::string> RunOf(const Json& object) {
  const std::string run = object.at("run");
  return run.empty() ? std::nullopt : std::optional("x/" + run);
}

class StoreTest : public testing::Test {
 protected:
  std::vector<std::string> TakeWoken() { return std::exchange(woken_, {}); }
  std::vector<std::string> NamesOf(const std::string& run_key) const {
    std::vector<std::string> names;
    for (const Object& object : store_.OfRun(run_key)) {
      names.push_back(object->at("metadata").at("name"));
    }
    return names;
  }

  std::vector<std::string> woken_;
  Store store_{RunOf, [this](const std::string& key) { woken_.push_back(key); }};
};

TEST_F(StoreTest, FindsWhatWasPut) {
  store_.Put(MakeObject("a", "r"));
  ASSERT_NE(store_.Find("x", "a"), nullptr);
  EXPECT_EQ(store_.Find("x", "b"), nullptr);
  EXPECT_EQ(store_.Find("y", "a"), nullptr);
  EXPECT_EQ(store_.size(), 1);
  EXPECT_THAT(TakeWoken(), ElementsAre("x/r"));
}

TEST_F(StoreTest, GivesARunsObjectsByName) {
  store_.Put(MakeObject("b", "r"));
  store_.Put(MakeObject("a", "r"));
  store_.Put(MakeObject("c", "other"));
  store_.Put(MakeObject("d", ""));
  EXPECT_THAT(NamesOf("x/r"), ElementsAre("a", "b"));
  EXPECT_THAT(store_.RunKeys(), ElementsAre("x/other", "x/r"));
  EXPECT_THAT(NamesOf("x/none"), IsEmpty());
}

TEST_F(StoreTest, WakesBothRunsOfAnObjectThatChangesSides) {
  store_.Put(MakeObject("a", "r"));
  TakeWoken();
  store_.Put(MakeObject("a", "s", "2"));
  EXPECT_THAT(TakeWoken(), ElementsAre("x/r", "x/s"));
  EXPECT_THAT(NamesOf("x/r"), IsEmpty());
  EXPECT_THAT(NamesOf("x/s"), ElementsAre("a"));
  EXPECT_THAT(store_.RunKeys(), ElementsAre("x/s"));
}

TEST_F(StoreTest, ForgetsWhatIsRemoved) {
  store_.Put(MakeObject("a", "r"));
  TakeWoken();
  store_.Remove(MakeObject("a", "r", "2"));
  EXPECT_EQ(store_.Find("x", "a"), nullptr);
  EXPECT_THAT(store_.RunKeys(), IsEmpty());
  EXPECT_THAT(TakeWoken(), ElementsAre("x/r"));
  store_.Remove(MakeObject("a", "r", "2"));  // nothing to tell anybody
  EXPECT_THAT(TakeWoken(), IsEmpty());
}

TEST_F(StoreTest, ARelistReplacesEverythingAndWakesAllWhoHadOrHaveSomething) {
  store_.Put(MakeObject("a", "gone"));
  store_.Put(MakeObject("b", "kept"));
  TakeWoken();
  store_.Replace({MakeObject("b", "kept", "2"), MakeObject("c", "fresh")});
  EXPECT_EQ(store_.Find("x", "a"), nullptr);
  EXPECT_EQ(store_.Find("x", "b")->at("metadata").at("resourceVersion"), "2");
  EXPECT_THAT(store_.RunKeys(), ElementsAre("x/fresh", "x/kept"));
  EXPECT_THAT(TakeWoken(), ElementsAre("x/fresh", "x/gone", "x/kept"));
}

TEST_F(StoreTest, TellsOfAChangeWhenItCanBeSeenAndWithoutALock) {
  Store* seen = nullptr;
  size_t size = 0;
  Store store(RunOf, [&](const std::string&) { size = seen->size(); });
  seen = &store;
  store.Put(MakeObject("a", "r"));
  EXPECT_EQ(size, 1);
}

TEST_F(StoreTest, AnObjectThatWasHandedOutStaysAsItWas) {
  store_.Put(MakeObject("a", "r"));
  const Object before = store_.Find("x", "a");
  store_.Put(MakeObject("a", "r", "2"));
  EXPECT_EQ(before->at("metadata").at("resourceVersion"), "1");
}

}  // namespace
}  // namespace fairlap::kube

#include "worker/train/staging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "worker/train/silent_observer.h"

namespace fairlap::train {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Watcher : public SilentObserver {
 public:
  void OnPhase(Phase phase) override { phases.push_back(phase); }
  void OnMark(Mark mark) override { marks.push_back(mark); }
  void OnStaging(const report::StagingFacts& facts) override { staging = facts; }

  std::vector<Phase> phases;
  std::vector<Mark> marks;
  std::optional<report::StagingFacts> staging;
};

class StageDataTest : public ::testing::Test {
 protected:
  StageDataTest() {
    std::string name = (fs::temp_directory_path() / "fairlap-staging-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    for (const char* file : {"data/train/a/1", "data/val/a/2", "data/other"}) {
      fs::create_directories((folder_ / file).parent_path());
      std::ofstream(folder_ / file) << "12345";
    }
    fs::create_directories(folder_ / "scratch");
    config_.staging = api::Staging::kCopy;
    config_.problem.dataset.format = api::DatasetFormat::kImageFolder;
  }
  ~StageDataTest() override { fs::remove_all(folder_); }

  base::Result<fs::path> Stage() {
    return StageData(config_, folder_ / "data", folder_ / "scratch", watcher_, {});
  }
  std::vector<std::string> Staged() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "scratch")) {
      if (!entry.is_directory())
        names.push_back(entry.path().lexically_relative(folder_ / "scratch"));
    }
    std::ranges::sort(names);
    return names;
  }
  static api::StopSpec Accuracy() {
    api::StopSpec stop;
    stop.accuracy.emplace();
    return stop;
  }

  fs::path folder_;
  api::RunConfig config_;
  Watcher watcher_;
};

TEST_F(StageDataTest, LeavesTheDataWhereItIsUnlessACopyIsAskedFor) {
  config_.staging = api::Staging::kDirect;
  EXPECT_EQ(Stage(), folder_ / "data");
  EXPECT_THAT(Staged(), IsEmpty());
  EXPECT_THAT(watcher_.phases, IsEmpty());
  EXPECT_THAT(watcher_.marks, IsEmpty());
}

TEST_F(StageDataTest, TellsThePhaseTheMarkAndWhatWasCopied) {
  config_.problem.stop.epochs = 1;
  EXPECT_EQ(Stage(), folder_ / "scratch");
  EXPECT_THAT(watcher_.phases, ElementsAre(Phase::kStaging));
  EXPECT_THAT(watcher_.marks, ElementsAre(Mark::kStagingDone));
  ASSERT_TRUE(watcher_.staging.has_value());
  EXPECT_EQ(watcher_.staging->files, 2);
  EXPECT_EQ(watcher_.staging->bytes, 10);
  EXPECT_GT(watcher_.staging->seconds, 0);
}

TEST_F(StageDataTest, CopiesTheSplitsThatTheStopRuleNeeds) {
  config_.problem.stop.steps = 3;
  ASSERT_TRUE(Stage().has_value());
  EXPECT_THAT(Staged(), ElementsAre("train/a/1"));
  config_.problem.stop = Accuracy();
  ASSERT_TRUE(Stage().has_value());
  EXPECT_THAT(Staged(), ElementsAre("train/a/1", "val/a/2"));
}

TEST_F(StageDataTest, CopiesEverythingOfADataSetWithoutFoldersForItsSplits) {
  config_.problem.stop.steps = 3;
  config_.problem.dataset.format = api::DatasetFormat::kCifar10;
  ASSERT_TRUE(Stage().has_value());
  EXPECT_THAT(Staged(), ElementsAre("other", "train/a/1", "val/a/2"));
}

TEST_F(StageDataTest, MissesAValidationSplitOnlyWhereTheStopRuleLooksAtIt) {
  fs::remove_all(folder_ / "data/val");
  config_.problem.stop.epochs = 1;
  EXPECT_TRUE(Stage().has_value());
  config_.problem.stop = Accuracy();
  const auto staged = Stage();
  ASSERT_FALSE(staged.has_value());
  EXPECT_EQ(staged.error().kind, base::ErrorKind::kNotFound);
  EXPECT_THAT(watcher_.marks, ElementsAre(Mark::kStagingDone));  // of the first alone
}

}  // namespace
}  // namespace fairlap::train

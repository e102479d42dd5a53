#include "cli/out_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/report/files.h"
#include "temporary_folder.h"

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class OutFolderTest : public TemporaryFolder {
 protected:
  void LeaveAFinishedRun() {
    report::RunReport report;
    report.name = "earlier";
    report.status.state = "Complete";
    report.spec.problem.optimizer.learning_rate.text = "0.1";
    ASSERT_TRUE(report::WriteRunReport(folder_ / "report.json", report));
  }
  std::string ErrorOf(bool overwrite) {
    const auto folder = OutFolder::Open(folder_, "mine", overwrite);
    return folder ? "" : folder.error().message;
  }
};

TEST_F(OutFolderTest, IsMadeWithItsParents) {
  const auto folder = OutFolder::Open(folder_ / "a" / "b", "mine", false);
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b" / "repeats"));
}

TEST_F(OutFolderTest, RefusesASecondRunAndSaysWhoHoldsIt) {
  const auto first = OutFolder::Open(folder_, "first", false);
  ASSERT_TRUE(first);
  EXPECT_THAT(ErrorOf(true), AllOf(HasSubstr("is in use by process " + std::to_string(::getpid())),
                                   HasSubstr("fairlap run of first since 2")));
}

TEST_F(OutFolderTest, IsFreeAgainWhenItsRunEnds) {
  { const auto first = OutFolder::Open(folder_, "first", false); }
  EXPECT_EQ(ErrorOf(true), "");
}

TEST_F(OutFolderTest, KeepsAnEarlierRunAndSaysWhatItIs) {
  LeaveAFinishedRun();
  EXPECT_THAT(ErrorOf(false),
              HasSubstr("holds the results of earlier (Complete, 0 of 0 repeats succeeded); "
                        "nothing was changed. Give another --out, or --overwrite"));
  EXPECT_TRUE(fs::exists(folder_ / "report.json"));
}

TEST_F(OutFolderTest, OverwritesOnlyWhatARunWrote) {
  LeaveAFinishedRun();
  ASSERT_TRUE(base::WriteFileAtomically(folder_ / "repeats/earlier-1-1/report.json", "{}"));
  ASSERT_TRUE(base::WriteFileAtomically(folder_ / ".fairlap/earlier-1-1/run.yaml", "{}"));
  ASSERT_TRUE(base::WriteFileAtomically(folder_ / "notes.txt", "mine"));
  EXPECT_EQ(ErrorOf(true), "");
  EXPECT_TRUE(fs::is_empty(folder_ / "repeats"));
  EXPECT_FALSE(fs::exists(folder_ / "report.json"));
  EXPECT_FALSE(fs::exists(folder_ / ".fairlap/earlier-1-1"));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

TEST_F(OutFolderTest, SaysThatAFileIsInTheWay) {
  const auto folder = OutFolder::Open("/etc/passwd", "mine", false);
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message,
              HasSubstr("/etc/passwd: cannot be used for results: Not a dir"));
}

}  // namespace
}  // namespace fairlap::cli

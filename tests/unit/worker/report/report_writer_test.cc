#include "worker/report/report_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "lib/base/file.h"
#include "lib/report/files.h"

namespace fairlap::report {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WriterTest : public ::testing::Test {
 protected:
  WriterTest() : folder_(fs::path(::testing::TempDir()) / ("writer" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~WriterTest() override { fs::remove_all(folder_); }
  const fs::path folder_;
};

api::WorkerSummary Decoded(const std::string& text) {
  api::WorkerSummary summary;
  base::Problems problems;
  const auto json = base::ParseJson(text, "termination message");
  EXPECT_TRUE(json.has_value());
  if (json) base::Decode(*json, "", summary, problems);
  for (const base::Problem& problem : problems) ADD_FAILURE() << problem.path << problem.message;
  return summary;
}

api::WorkerSummary FullSummary() {
  api::WorkerSummary summary;
  summary.outcome = api::Outcome::kFailed;
  summary.reason = std::string(64, 'R');
  summary.seed = api::kMaxSafeInteger;
  api::RepeatFigures& figures = summary.figures;
  for (auto* value :
       {&figures.samples_per_second, &figures.step_seconds_p50, &figures.step_seconds_block_error,
        &figures.data_stall_ratio, &figures.stall_analysis.t0, &figures.stage_seconds.read,
        &figures.stage_seconds.cache_prepare}) {
    *value = 1.23456e-10;
  }
  figures.stall_analysis.reason = figures.bottleneck_reason = std::string(256, 's');
  figures.cache_state_reason = std::string(256, 'c');
  summary.marks.job_created = summary.marks.finished = "2026-11-30T10:36:30.000123Z";
  return summary;
}

TEST(MakeTerminationMessage, KeepsEverythingThatFits) {
  api::WorkerSummary summary = FullSummary();
  summary.message = "why";
  const api::WorkerSummary read = Decoded(MakeTerminationMessage(summary));
  EXPECT_EQ(read.message, "why");
  EXPECT_EQ(read.figures.stage_seconds.read, 1.23456e-10);
  EXPECT_EQ(read.figures.stall_analysis.t0, 1.23456e-10);
  EXPECT_EQ(read.marks.finished, summary.marks.finished);
}

TEST(MakeTerminationMessage, DropsOptionalPartsBeforeTheMainFigures) {
  api::WorkerSummary summary = FullSummary();
  summary.message = std::string(1024, '\x01');  // six bytes each in JSON
  const std::string text = MakeTerminationMessage(summary);
  EXPECT_LE(text.size(), 4096U);
  const api::WorkerSummary read = Decoded(text);
  EXPECT_EQ(read.figures.samples_per_second, 1.23456e-10);
  EXPECT_FALSE(read.figures.stall_analysis.t0.has_value());
  EXPECT_FALSE(read.figures.bottleneck_reason.has_value());
  EXPECT_FALSE(read.figures.stage_seconds.read.has_value());
  EXPECT_TRUE(read.figures.stage_seconds.cache_prepare.has_value()) << "it is taken off the times";
  EXPECT_FALSE(read.marks.finished.has_value());
  EXPECT_FALSE(read.message.empty());
}

TEST(MakeTerminationMessage, CutsTheMessageBetweenCharacters) {
  api::WorkerSummary summary;
  summary.message = "a";
  for (int i = 0; i < 600; ++i) summary.message += "\u00e9";  // two bytes each
  const std::string text = MakeTerminationMessage(summary);
  const std::string message = Decoded(text).message;
  EXPECT_EQ(message.size(), 1023U);
  EXPECT_TRUE(message.ends_with("\u00e9"));
}

TEST(MakeTerminationMessage, SurvivesTextThatIsNotUtf8) {
  api::WorkerSummary summary;
  summary.message = "caf\xe9.jpg";
  EXPECT_THAT(Decoded(MakeTerminationMessage(summary)).message, HasSubstr(".jpg"));
}

TEST_F(WriterTest, WritesAReportThatItsReaderReads) {
  RankReport report;
  report.config.identity.run = "demo";
  report.config.identity.job = "demo-1-1";
  report.config.identity.repeat = "1";
  report.config.problem.optimizer.learning_rate = {"0.1"};
  report.summary.figures.steps = 3;
  report.steps.loss = {3, 2, 1};
  const fs::path path = ReportPath(folder_, "demo-1-1");
  const base::Status written = WriteReport(path, report);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(path, folder_ / "demo-1-1" / "report.json");
  const auto read = ReadRankReport(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->summary.figures.steps, 3);
  EXPECT_EQ(read->steps.loss, report.steps.loss);
}

TEST_F(WriterTest, NamesTheFileAndTheReasonWhereItCannotWrite) {
  std::ofstream(folder_ / "file") << "in the way";
  const base::Status written = WriteReport(ReportPath(folder_ / "file", "demo-1-1"), {});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("demo-1-1/report.json"));
  EXPECT_THAT(written.error().message, HasSubstr("Not a directory"));
}

TEST_F(WriterTest, WritesTheTerminationMessageInPlace) {
  const fs::path path = folder_ / "log";
  std::ofstream(path) << "a longer text that was there before";
  fs::create_hard_link(path, folder_ / "mount");
  ASSERT_TRUE(WriteTerminationMessage(path, "{}"));
  EXPECT_EQ(base::ReadFile(folder_ / "mount", 100), "{}");
}

TEST(WriteTerminationMessage, SaysWhyItFailed) {
  const base::Status written = WriteTerminationMessage("/dev/full", "{}");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace fairlap::report

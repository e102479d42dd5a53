#include "lib/report/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/document.h"
#include "sample_report.h"

namespace fairlap::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(MakeRepeatsTable, HasARowForEveryRepeatWarmUpRunsIncluded) {
  const std::string csv = ToCsv(MakeRepeatsTable(MakeSampleReport()));
  EXPECT_THAT(csv, HasSubstr("\nw1,warm-up,succeeded,1,9007199254740991,340.25,"));
  EXPECT_THAT(csv, HasSubstr("\n1,yes,succeeded,1,9007199254740991,340.25,"));
  EXPECT_THAT(csv, HasSubstr("\n2,yes,failed,1,9007199254740991,,"));
}

TEST(MakeSummaryTable, ShowsKOfNWhereARepeatFailed) {
  const std::string text = ToText(MakeSummaryTable(MakeSampleReport()));
  EXPECT_THAT(text, HasSubstr("Images/s    2          1  340.25\n"));
  EXPECT_THAT(text, Not(HasSubstr("Mean")));
}

TEST(MakeSummaryTable, HasThePsnrOfDenoising) {
  RunReport report = MakeSampleReport();
  const double decibels[] = {31.5, 32.5};
  report.status.summary->psnr_decibels = stats::Summarise(decibels, 0, stats::Better::kHigher);
  EXPECT_THAT(ToCsv(MakeSummaryTable(report)), HasSubstr("\npsnrDecibels,\"PSNR, dB\",2,2,32,"));
}

TEST(MakeSummaryTable, IsEmptyWhereRepeatsAreMixed) {
  RunReport report = MakeSampleReport();
  report.status.summary->mixed = true;
  EXPECT_TRUE(MakeSummaryTable(report).rows.empty());
  EXPECT_THAT(MakeWarnings(report), Contains(StartsWith("mixed:")));
}

TEST(MakeEpochsTable, HasARowForEveryEpochOfEveryRepeat) {
  EXPECT_EQ(ToCsv(MakeEpochsTable(MakeSampleReport())),
            "repeat,attempt,epoch,seconds,steps,samples,trainLoss,learningRate,top1,top5,"
            "validationLoss,psnrDecibels,inputPsnrDecibels,evaluateSeconds\n"
            "w1,1,0,1.5,20,640,2.25,,,,,31.5,20.25,\n"
            "1,1,0,1.5,20,640,2.25,,,,,31.5,20.25,\n");
}

TEST(MakeStagesTable, HasARowForEveryRepeatThatMeasuredStages) {
  RunReport report = MakeSampleReport();
  report.status.repeats[1].figures->stage_seconds.read = 1.5;
  report.status.repeats[1].figures->stage_seconds.forward = 2;
  EXPECT_EQ(ToText(MakeStagesTable(report)),
            "Repeat  Read*  Forward\n"
            "1         1.5        2\n");
}

TEST(ExplainBottlenecks, HasTheFiguresThatLedToEachVerdict) {
  RunReport report = MakeSampleReport();
  api::RepeatFigures& figures = *report.status.repeats[1].figures;
  figures.bottleneck = api::Bottleneck::kRead;
  figures.bottleneck_reason = "input stall 60 %";
  EXPECT_THAT(ExplainBottlenecks(report),
              testing::ElementsAre("repeat 1: bottleneck read in the window: input stall 60 %"));
  EXPECT_THAT(ToText(MakeDocument(report)), HasSubstr("\n* repeat 1: bottleneck read"));
}

TEST(MakeChecksTable, ShowsAFailedCheckLoudly) {
  EXPECT_EQ(ToText(MakeChecksTable(MakeSampleReport())),
            "Repeat  Loss finite  Loss fell\n"
            "w1      yes          NO\n"
            "1       yes          NO\n");
}

TEST(MakeWarnings, NamesFailuresFlagsAndEnvironmentWarningsOnce) {
  EXPECT_THAT(
      MakeWarnings(MakeSampleReport()),
      testing::ElementsAre(
          "the run was not finished when this report was written",
          "repeat 2, attempt 1: failed: the worker was killed by signal 9 (SIGKILL)",
          "unsteady: repeat 1 varied by 7 %", "repeat w1, 1: a debug build: not a measurement"));
}

TEST(MakeWarnings, NamesSkippedFiles) {
  RunReport report = MakeSampleReport();
  DataFacts& data = report.repeats[1].attempts[0].ranks[0].data;
  data.bad_file_count = 12;
  data.unreadable_file_count = 3;
  data.bad_files = {{"train/a/x.jpg", "truncated JPEG"}};
  EXPECT_THAT(MakeWarnings(report),
              Contains("repeat 1: 12 files could not be used (3 could not be read): "
                       "train/a/x.jpg (truncated JPEG)"));
}

TEST(MakeWarnings, NamesACacheStateThatWasAskedForAndIsNotVerified) {
  RunReport report = MakeSampleReport();
  RankReport& rank = report.repeats[1].attempts[0].ranks[0];
  rank.config.cache = api::Cache::kCold;
  rank.summary.figures.cache_state_reason = "on fuse nobody tells";
  const std::string warning =
      "repeat 1: the page cache is not verified to be cold: on fuse nobody tells";
  EXPECT_THAT(MakeWarnings(report), Contains(warning));
  rank.summary.figures.cache_state = api::CacheState::kCold;
  EXPECT_THAT(MakeWarnings(report), testing::Not(Contains(warning)));
}

TEST(Document, CarriesEnvironmentChecksAndWarningsBesideTheResult) {
  const std::string markdown = ToMarkdown(MakeDocument(MakeSampleReport()));
  EXPECT_THAT(markdown, StartsWith("# sample: Complete\n"));
  for (const char* heading : {"Repeats", "Over the counted repeats", "Warnings", "Checks", "Run",
                              "Environment", "Definitions"}) {
    EXPECT_THAT(markdown, HasSubstr(std::string("\n## ") + heading + "\n\n"));
  }
  EXPECT_THAT(markdown, HasSubstr("| CPU | A\\|B \\<CPU\\> |"));
}

TEST(Document, OfARunThatMeasuredNothingStillNamesIt) {
  RunReport report;
  report.name = "nothing";
  EXPECT_THAT(ToText(MakeDocument(report)), StartsWith("nothing: unknown\n"));
}

}  // namespace
}  // namespace fairlap::report

#include "lib/report/any_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/codec.h"
#include "lib/base/encoding.h"
#include "lib/report/document.h"
#include "lib/report/documents.h"
#include "lib/report/log_report.h"
#include "lib/report/tables.h"
#include "sample_report.h"

namespace fairlap::report {
namespace {

using testing::HasSubstr;

RankReport SampleRank() { return MakeSampleReport().repeats[1].attempts[0].ranks[0]; }

// What was read, as the rank report that it is.
base::Json RankOf(const std::string& text) {
  const auto read = ParseAnyReport(text, "it");
  EXPECT_TRUE(read) << read.error().message;
  if (!read || !std::holds_alternative<RankReport>(*read)) return nullptr;
  return base::Encode(std::get<RankReport>(*read));
}

TEST(ParseAnyReport, TellsARunFromAWorker) {
  const auto run = ParseAnyReport(base::Encode(MakeSampleReport()).dump(), "it");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(std::holds_alternative<RunReport>(*run));
  EXPECT_EQ(RankOf(base::Encode(SampleRank()).dump()), base::Encode(SampleRank()));
}

TEST(ParseAnyReport, ReadsEveryFormInWhichTheOperatorKeepsOne) {
  const std::string packed = Pack(SampleRank());
  const std::string base64 = base::ToBase64(packed);
  const base::Json map{{"kind", "ConfigMap"}, {"binaryData", {{kPackedReportKey, base64}}}};
  for (const std::string& text : {packed, base64, base64 + "\n", map.dump()}) {
    EXPECT_EQ(RankOf(text), base::Encode(SampleRank()));
  }
}

TEST(ParseAnyReport, NamesTheSourceOfWhatItCannotRead) {
  const std::string packed = Pack(SampleRank());
  const base::Json map{{"binaryData", {{kPackedReportKey, "???"}}}};
  for (const std::string& text : {packed.substr(0, 40), map.dump(), std::string("{"),
                                  std::string("[]"), std::string(), std::string("AAAA")}) {
    const auto read = ParseAnyReport(text, "it");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr("it"));
  }
}

TEST(AsRun, IsThatOneRepeat) {
  const RunReport run = AsRun(SampleRank());
  EXPECT_THAT(ToCsv(MakeRepeatsTable(run)), HasSubstr("\n1,yes,succeeded,1,"));
  EXPECT_THAT(ToCsv(MakeEpochsTable(run)), HasSubstr("\n1,1,0,1.5,20,640,2.25,"));
  EXPECT_THAT(ToText(MakeDocument(run)), HasSubstr("sample: repeat 1, attempt 1, succeeded\n"));
  EXPECT_TRUE(MakeSummaryTable(run).rows.empty());
}

}  // namespace
}  // namespace fairlap::report

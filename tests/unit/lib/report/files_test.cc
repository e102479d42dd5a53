#include "lib/report/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/codec.h"
#include "lib/base/file.h"
#include "lib/report/documents.h"
#include "sample_report.h"

namespace fairlap::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReportFiles : public testing::Test {
 protected:
  ReportFiles() {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ReportFiles() override { fs::remove_all(folder_); }

  std::string ErrorFor(const std::string& text) {
    EXPECT_TRUE(base::WriteFileAtomically(folder_ / kReportFile, text));
    const auto report = ReadRunReport(folder_);
    return report ? "" : report.error().message;
  }

  fs::path folder_;
};

TEST_F(ReportFiles, ReadsBackWhatWasWritten) {
  const RunReport report = MakeSampleReport();
  ASSERT_TRUE(WriteRunReport(folder_ / kReportFile, report));
  const auto read = ReadRunReport(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(base::Encode(*read), base::Encode(report));
}

TEST_F(ReportFiles, ReadsTheFileItselfToo) {
  ASSERT_TRUE(WriteRunReport(folder_ / "other.json", MakeSampleReport()));
  EXPECT_TRUE(ReadRunReport(folder_ / "other.json"));
}

TEST_F(ReportFiles, IgnoresFieldsOfALaterVersion) {
  base::Json json = base::Encode(MakeSampleReport());
  json["fromTheFuture"] = {1, 2, 3};
  EXPECT_EQ(ErrorFor(json.dump()), "");
}

TEST_F(ReportFiles, RefusesAnotherSchemaVersionByNumber) {
  base::Json json = base::Encode(MakeSampleReport());
  json["schemaVersion"] = 2;
  EXPECT_THAT(ErrorFor(json.dump()),
              HasSubstr("report.json: has schemaVersion 2, this version of Fairlap reads 1"));
}

TEST_F(ReportFiles, RefusesWhatIsNoReport) {
  EXPECT_THAT(ErrorFor("[1]"), HasSubstr("is not a Fairlap report"));
  EXPECT_THAT(ErrorFor("{}"), HasSubstr("is not a Fairlap report"));
  EXPECT_THAT(ErrorFor("{\"schemaVersion\": \"1\"}"), HasSubstr("is not a Fairlap report"));
  EXPECT_THAT(ErrorFor("{\"schemaVersion\": 1"), HasSubstr("is not valid JSON"));
}

TEST_F(ReportFiles, NamesTheFieldThatIsWrong) {
  base::Json json = base::Encode(MakeSampleReport());
  json["status"]["seed"] = "seven";
  EXPECT_THAT(ErrorFor(json.dump()), HasSubstr("report.json: status.seed: "));
}

TEST_F(ReportFiles, SaysWhichFileIsMissing) {
  const auto report = ReadRankReport(folder_);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("report.json: cannot open"));
}

TEST(ToJsonText, KeepsListsOfPlainValuesOnOneLine) {
  const base::Json json = {{"a", {1, 2.5, "x"}}, {"b", {{{"c", base::Json::array()}}}}};
  EXPECT_EQ(ToJsonText(json),
            "{\n"
            "  \"a\": [1, 2.5, \"x\"],\n"
            "  \"b\": [\n"
            "    {\n"
            "      \"c\": []\n"
            "    }\n"
            "  ]\n"
            "}\n");
}

TEST(ToJsonText, ReplacesTextThatIsNotUtf8) {
  EXPECT_EQ(ToJsonText(base::Json("a\xff")), "\"a\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace fairlap::report

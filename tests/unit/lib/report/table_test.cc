#include "lib/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlap::report {
namespace {

using testing::HasSubstr;

Table OneCell(Cell cell) {
  Table table;
  table.columns = {{"key", "Title"}};
  table.rows = {{std::move(cell)}};
  return table;
}

std::string CsvOf(const char* text) { return ToCsv(OneCell(std::string(text))); }

TEST(ToCsv, HeadsColumnsWithTheirKeys) { EXPECT_EQ(ToCsv(OneCell(int64_t{3})), "key\n3\n"); }

TEST(ToCsv, KeepsNegativeNumbersNumbers) {
  EXPECT_EQ(ToCsv(OneCell(-2.5)), "key\n-2.5\n");
  EXPECT_EQ(ToCsv(OneCell(int64_t{-9007199254740991})), "key\n-9007199254740991\n");
}

TEST(ToCsv, DefusesTextThatASpreadsheetTakesForAFormula) {
  EXPECT_EQ(CsvOf("=1+1"), "key\n'=1+1\n");
  EXPECT_EQ(CsvOf("+1"), "key\n'+1\n");
  EXPECT_EQ(CsvOf("-1"), "key\n'-1\n");
  EXPECT_EQ(CsvOf("@SUM(A1)"), "key\n'@SUM(A1)\n");
  EXPECT_EQ(CsvOf("\t=1"), "key\n'\t=1\n");
  EXPECT_EQ(CsvOf("\r=1"), "key\n\"'\r=1\"\n");
}

TEST(ToCsv, QuotesCommasQuotesAndLineEnds) {
  EXPECT_EQ(CsvOf("a,b"), "key\n\"a,b\"\n");
  EXPECT_EQ(CsvOf("a\"b"), "key\n\"a\"\"b\"\n");
  EXPECT_EQ(CsvOf("a\nb"), "key\n\"a\nb\"\n");
}

TEST(ToCsv, LeavesAbsentCellsEmptyAndKeepsDetails) {
  Table table;
  table.columns = {{"a", "A", true}, {"b", "B"}};
  table.rows = {{std::string("x"), Cell()}};
  EXPECT_EQ(ToCsv(table), "a,b\nx,\n");
}

TEST(ToJson, KeepsNumbersNumbersAndLeavesAbsentCellsOut) {
  Table table;
  table.columns = {{"a", "A"}, {"b", "B", true}, {"c", "C"}};
  table.rows = {{int64_t{9007199254740991}, 0.1234567, std::string("x")}, {Cell(), Cell(), Cell()}};
  EXPECT_EQ(ToJson(table).dump(), R"([{"a":9007199254740991,"b":0.123457,"c":"x"},{}])");
}

TEST(ToMarkdown, LeavesOutDetailsAndColumnsWithoutAValue) {
  Table table;
  table.columns = {{"a", "A", true}, {"b", "B"}, {"c", "C"}};
  table.rows = {{std::string("x"), Cell(), 1.5}, {std::string("y"), Cell(), Cell()}};
  EXPECT_EQ(ToMarkdown(table), "| C |\n|---:|\n| 1.5 |\n| n/a |\n");
}

TEST(ToMarkdown, KeepsTextInsideItsCell) {
  EXPECT_EQ(ToMarkdown(OneCell(std::string("a|b\n| c | <script> [x](y) `z` *e*"))),
            "| Title |\n|:---|\n"
            "| a\\|b \\| c \\| \\<script\\> \\[x\\](y) \\`z\\` \\*e\\* |\n");
}

TEST(EscapeMarkdown, StopsAListFromStarting) { EXPECT_EQ(EscapeMarkdown("- x"), "\\- x"); }

TEST(ToText, AlignsNumbersRightAndTextLeft) {
  Table table;
  table.columns = {{"name", "Name"}, {"value", "Value"}};
  table.rows = {{std::string("a"), 1.5}, {std::string("long name"), 1234.5}};
  EXPECT_EQ(ToText(table),
            "Name        Value\n"
            "a             1.5\n"
            "long name  1234.5\n");
}

TEST(ToText, CountsCharactersAndNotBytes) {
  Table table;
  table.columns = {{"name", "N"}, {"value", "V"}};
  table.rows = {{std::string("é"), int64_t{1}}, {std::string("abcd"), int64_t{2}}};
  EXPECT_THAT(ToText(table), HasSubstr("é       1\nabcd    2\n"));
}

}  // namespace
}  // namespace fairlap::report

#include "lib/api/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fairlap::api {
namespace {

using base::Json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Json ParseOne(const std::string& text) {
  const YamlResult result = ParseYaml(text);
  for (const auto& problem : result.problems) {
    ADD_FAILURE() << problem.line << ": " << problem.path << ": " << problem.message;
  }
  return result.documents.size() == 1 ? result.documents[0].root : Json("not one document");
}

base::Problem FirstProblem(const std::string& text, const YamlLimits& limits = {}) {
  const YamlResult result = ParseYaml(text, limits);
  if (result.problems.size() == 1) return result.problems[0];
  ADD_FAILURE() << result.problems.size() << " problems in " << text.substr(0, 200);
  return {};
}

TEST(ParseYaml, BuildsMapsAndListsInTheirOrder) {
  EXPECT_EQ(ParseOne("b: [1, {c: 2}]\na:\n- x\n- - z\n").dump(),
            R"({"b":[1,{"c":2}],"a":["x",["z"]]})");
}

TEST(ParseYaml, TypesPlainScalarsAsKubectlDoes) {
  const std::pair<const char*, Json> cases[] = {
      {"yes", true},
      {"off", false},
      {"Y", true},
      {"~", nullptr},
      {"", nullptr},
      {"0x1F", 31},
      {"017", 15},
      {"0o17", 15},
      {"08", 8},
      {"0b101", 5},
      {"-0x10", -16},
      {"1_000", 1000},
      {"+7", 7},
      {"1e3", 1000},
      {"2.0", 2},
      {"0.5", 0.5},
      {".5", 0.5},
      {"-1.5e-3", -0.0015},
      {"5e-4", 0.0005},
      {"1e999", "1e999"},
      {"nan", "nan"},
      {"inf", "inf"},
      {"+-5", "+-5"},
      {"2026-11-30", "2026-11-30"},
      {"1.2.3", "1.2.3"},
      {"0x", "0x"},
      {"8Gi", "8Gi"},
      {"12:30", "12:30"},
      {"tRUE", "tRUE"},
      {"9223372036854775808", 9223372036854775808ULL},
      {"-9223372036854775808", INT64_MIN},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(ParseOne(std::string("v: ") + text).at("v"), expected) << text;
  }
}

TEST(ParseYaml, TakesQuotedAndBlockScalarsAsText) {
  EXPECT_EQ(ParseOne("a: \"1\"\nb: 'no'\nc: |\n  12\n").dump(), R"({"a":"1","b":"no","c":"12\n"})");
}

TEST(ParseYaml, ReadsEveryDocumentAndLeavesOutEmptyOnes) {
  const YamlResult result = ParseYaml("---\na: 1\n---\n---\n# nothing\n---\n- b\n...\n");
  EXPECT_THAT(result.problems, IsEmpty());
  ASSERT_EQ(result.documents.size(), 2U);
  EXPECT_EQ(result.documents[1].root.dump(), R"(["b"])");
}

TEST(ParseYaml, TellsTheLineOfEveryField) {
  const YamlResult result =
      ParseYaml("# note\nspec:\n  stop:\n    steps: 3\n  list:\n  - a\n  - {b: 1}\n");
  ASSERT_EQ(result.documents.size(), 1U);
  const auto& lines = result.documents[0].lines;
  EXPECT_EQ(lines.at("spec"), 2);
  EXPECT_EQ(lines.at("spec.stop.steps"), 4);
  EXPECT_EQ(lines.at("spec.list[0]"), 6);
  EXPECT_EQ(lines.at("spec.list[1].b"), 7);
}

TEST(ParseYaml, RefusesAliasesWithTheirLine) {
  const base::Problem problem = FirstProblem("a: &x 1\nb: *x\n");
  EXPECT_EQ(problem.line, 1);
  EXPECT_EQ(problem.path, "a");
  EXPECT_THAT(problem.message, HasSubstr("anchors (&) are not allowed"));
}

TEST(ParseYaml, RefusesAnAliasToNothing) { EXPECT_EQ(FirstProblem("a: 1\nb: *x\n").line, 2); }

TEST(ParseYaml, RefusesAnchorsOnMapsListsAndNothing) {
  for (const char* text : {"a: &x {b: 1}", "a: &x [1]", "a: &x", "&x a: 1"}) {
    EXPECT_THAT(FirstProblem(text).message, HasSubstr("anchors")) << text;
  }
}

TEST(ParseYaml, RefusesTags) {
  for (const char* text : {"a: !!binary aGk=", "a: !x {b: 1}", "a: !!str", "a: !!set [1]"}) {
    EXPECT_THAT(FirstProblem(text).message, HasSubstr("tags (")) << text;
  }
}

TEST(ParseYaml, RefusesAKeyThatIsThereTwice) {
  const base::Problem problem = FirstProblem("spec:\n  a: 1\n  b: 2\n  a: 3\n");
  EXPECT_EQ(problem.line, 4);
  EXPECT_EQ(problem.path, "spec");
  EXPECT_EQ(problem.message, "the key \"a\" is there twice");
}

TEST(ParseYaml, RefusesKeysThatAreNoText) {
  EXPECT_THAT(FirstProblem("? [a]\n: 1\n").message, HasSubstr("a key must be text"));
  EXPECT_THAT(FirstProblem("? {a: 1}\n: 1\n").message, HasSubstr("a key must be text"));
  EXPECT_THAT(FirstProblem("~: 1\n").message, HasSubstr("a key must be text"));
  EXPECT_THAT(FirstProblem("on: 1\n").message, HasSubstr("means true in YAML: quote it"));
}

TEST(ParseYaml, RefusesNumbersThatAreNotFinite) {
  EXPECT_THAT(FirstProblem("a: .inf").message, HasSubstr("no finite number"));
  EXPECT_THAT(FirstProblem("a: -.INF").message, HasSubstr("no finite number"));
  EXPECT_THAT(FirstProblem("a: .nan").message, HasSubstr("no finite number"));
}

TEST(ParseYaml, RefusesATextThatIsTooLargeBeforeParsingIt) {
  const base::Problem problem = FirstProblem(std::string(10 << 20, '['));
  EXPECT_EQ(problem.message, "has 10485760 bytes, but must have at most 65536");
}

TEST(ParseYaml, RefusesNestingBeyondTheLimit) {
  std::string deep(32, '[');
  deep += std::string(32, ']');
  EXPECT_THAT(ParseYaml(deep).problems, IsEmpty());
  const base::Problem problem = FirstProblem("a: [" + deep + "]");
  EXPECT_THAT(problem.message, HasSubstr("deeper than the 32 levels"));
  EXPECT_EQ(problem.line, 1);
}

TEST(ParseYaml, SurvivesBracketsWithoutEnd) {
  FirstProblem(std::string(60'000, '['));
  FirstProblem(std::string(60'000, '{'));
  std::string lists;
  for (int i = 0; i < 20'000; ++i) lists += "- ";
  FirstProblem(lists);
}

TEST(ParseYaml, RefusesMoreNodesThanTheLimit) {
  const base::Problem problem = FirstProblem("a: 1\nb: 2\nc: 3\n", {.nodes = 4});
  EXPECT_EQ(problem.line, 2);
  EXPECT_THAT(problem.message, HasSubstr("more than the 4 values and keys"));
  std::string many = "[";
  for (int i = 0; i < 20'000; ++i) many += "1,";
  EXPECT_THAT(FirstProblem(many + "1]").message, HasSubstr("more than the 10000"));
}

TEST(ParseYaml, RefusesNulBytes) {
  EXPECT_EQ(FirstProblem(std::string("a: 1\nb: x\0y", 11)).line, 2);
  EXPECT_THAT(FirstProblem("a: \"x\\0y\"").message, HasSubstr("NUL"));
}

TEST(ParseYaml, RefusesInvalidUtf8WithItsLine) {
  for (const char* bytes : {"\xFF", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                            "\xF4\x90\x80\x80", "\x80", "\xF0\x9F\x98"}) {
    const base::Problem problem = FirstProblem(std::string("a: 1\n\nb: ") + bytes);
    EXPECT_EQ(problem.message, "is not valid UTF-8");
    EXPECT_EQ(problem.line, 3);
  }
  EXPECT_EQ(ParseOne("a: \u00e9\U0001F600\u20ac").at("a"), "\u00e9\U0001F600\u20ac");
}

TEST(ParseYaml, TellsTheLineOfASyntaxError) {
  const base::Problem problem = FirstProblem("a: 1\nb: [1, 2\nc: 3\n");
  EXPECT_GE(problem.line, 2);
  EXPECT_THAT(problem.message, HasSubstr("is not valid YAML"));
}

TEST(ParseYaml, HasNoDocumentInAnEmptyText) {
  for (const char* text : {"", "\n\n", "# note\n", "---\n", "---\n...\n"}) {
    const YamlResult result = ParseYaml(text);
    EXPECT_THAT(result.documents, IsEmpty());
    EXPECT_THAT(result.problems, IsEmpty());
  }
}

TEST(AddLines, GivesAMissingFieldTheLineOfItsNearestParent) {
  const YamlResult result = ParseYaml("spec:\n  stop:\n    accuracy: {}\n  list:\n  - a: 1\n");
  base::Problems problems = {{"spec.stop.accuracy.target", ""},
                             {"spec.list[0].b[3].c", ""},
                             {"kind", ""},
                             {"spec", "", 42}};
  AddLines(result.documents.at(0), problems);
  EXPECT_EQ(problems[0].line, 3);
  EXPECT_EQ(problems[1].line, 5);
  EXPECT_EQ(problems[2].line, 1);
  EXPECT_EQ(problems[3].line, 42);
}

TEST(ToYaml, WritesBlockStyle) {
  const Json json = Json::parse(
      R"({"a":1,"b":{"c":[1,{"d":"x","e":true},[2]],"f":{}},"g":[],"h":"two\nlines\n","i":null})");
  EXPECT_EQ(ToYaml(json),
            "a: 1\nb:\n  c:\n  - 1\n  - d: x\n    e: true\n  - - 2\n  f: {}\ng: []\n"
            "h: |\n  two\n  lines\ni: null\n");
}

TEST(ToYaml, ReadsBackAsTheSameDocument) {
  Json json = Json::parse(R"({"n":[0,-1,0.1,1e30,-2.5e-7,true,null,9007199254740993],"":"",
      "a b":{"#c":[[],[{}],[[1]]]},"list":[{"x":[{"y":1},{"z":[]}]},"s"]})");
  const char* texts[] = {"yes",
                         "no",
                         "on",
                         "y",
                         "N",
                         "null",
                         "~",
                         "true",
                         "1",
                         "0x1",
                         "1e3",
                         ".5",
                         "1.0",
                         "-",
                         "- a",
                         ": b",
                         "a: b",
                         "a #b",
                         "#",
                         "&a",
                         "*a",
                         "!t",
                         "|",
                         ">",
                         "%",
                         "@",
                         "`",
                         "'",
                         "\"",
                         "\\",
                         "{}",
                         "[]",
                         ",",
                         "?",
                         "? a",
                         " lead",
                         "trail ",
                         "a\tb",
                         "\t",
                         "\n",
                         "a\n",
                         "a\n\n",
                         "\na\n",
                         " a\nb\n",
                         "a \nb\n",
                         "a\n  b\n\nc\n",
                         "a\r\n",
                         "2026-11-30",
                         "12:30:45",
                         "key:",
                         "http://x:80/y",
                         "---",
                         "...",
                         "--- a",
                         "\x7f",
                         "\u0085",
                         "\u00a0",
                         "\u2028x\u2029",
                         "\ufeff",
                         "\u00e9\U0001F600",
                         "<<",
                         "=",
                         "a\x01"
                         "b",
                         ".inf",
                         ".nan",
                         "=",
                         "caf\u00e9: 1\n"};
  for (const char* text : texts) {
    json["s"].push_back(text);
    json["k"][text] = text;
  }
  json["long"] = std::string(3000, 'x') + ": " + std::string(3000, 'y');
  EXPECT_EQ(ParseOne(ToYaml(json)).dump(), json.dump());
}

TEST(ToYaml, WritesEmptyAndScalarDocuments) {
  EXPECT_EQ(ToYaml(Json::object()), "{}\n");
  EXPECT_EQ(ToYaml(Json::array()), "[]\n");
  EXPECT_EQ(ToYaml("yes"), "\"yes\"\n");
}

}  // namespace
}  // namespace fairlap::api

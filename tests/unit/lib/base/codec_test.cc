#include "lib/base/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "lib/base/schema.h"

namespace fairlap::base {

enum class Colour { kRed, kGreen };
template <>
inline constexpr std::array kEnumNames<Colour> = {std::string_view("red"),
                                                  std::string_view("green")};

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Inner {
  int64_t count = 0;
  template <class V>
  static void Describe(V& v) {
    v(&Inner::count, "count", Integer(0, 9));
  }
};

struct Outer {
  std::string name = "anon";
  Colour colour = Colour::kGreen;
  Decimal rate{"0.5"};
  std::optional<IntOrString> size;
  std::optional<Inner> inner;
  std::vector<Inner> items;
  std::map<std::string, std::string> labels;
  std::optional<double> figure;
  bool flag = false;

  template <class V>
  static void Describe(V& v) {
    v(&Outer::name, "name", Text(1, 5, "^[a-z]+$").Default());
    v(&Outer::colour, "colour", Plain().Default());
    v(&Outer::rate, "rate", DecimalText().Default());
    v(&Outer::size, "size", QuantityText());
    v(&Outer::inner, "inner", Plain());
    v(&Outer::items, "items", Items(0, 2));
    v(&Outer::labels, "labels", Texts(0, 2, 0, 3));
    v(&Outer::figure, "figure", Plain());
    v(&Outer::flag, "flag", Plain().Default());
  }
};

Outer Read(const char* text, Problems& problems, UnknownFields unknown = UnknownFields::kRefuse) {
  Outer outer;
  Decode(Json::parse(text), "top", outer, problems, unknown);
  return outer;
}

std::string Complaint(const std::string& text) {
  Problems problems;
  Read(text.c_str(), problems);
  std::string all;
  for (const Problem& problem : problems) all += problem.path + ": " + problem.message + "\n";
  return all;
}

TEST(Decode, FillsEveryFieldAndKeepsDefaults) {
  Problems problems;
  const Outer outer = Read(R"({"name":"abc","colour":"red","size":8,"inner":{"count":3},
      "items":[{"count":1},{"count":2}],"labels":{"a":"b"},"figure":1.5,"rate":null})",
                           problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(outer.name, "abc");
  EXPECT_EQ(outer.colour, Colour::kRed);
  EXPECT_EQ(outer.size->text, "8");
  EXPECT_EQ(outer.inner->count, 3);
  EXPECT_EQ(outer.items.at(1).count, 2);
  EXPECT_EQ(outer.labels.at("a"), "b");
  EXPECT_EQ(outer.rate.Value(), 0.5);
}

TEST(Decode, ReadsBackWhatEncodeWrote) {
  Problems problems;
  const char* text =
      R"({"name":"abc","colour":"red","rate":"5e-4","size":"2Gi","inner":{"count":3},)"
      R"("items":[{"count":1}],"labels":{"a":""},"figure":0.25,"flag":true})";
  EXPECT_EQ(Encode(Read(text, problems)).dump(), text);
}

TEST(Decode, ReportsEveryProblemWithItsPath) {
  EXPECT_EQ(
      Complaint(R"({"name":"ABC","colour":"blue","inner":{"count":10},"items":[{"count":1},{}]})"),
      "top.name: is \"ABC\", but must match ^[a-z]+$\n"
      "top.colour: is \"blue\", but must be one of red, green\n"
      "top.inner.count: is 10, but must be from 0 to 9\n"
      "top.items[1].count: is required and missing\n");
}

TEST(Decode, RefusesEachWrongType) {
  for (const char* text :
       {R"({"name":1})", R"({"colour":1})", R"({"rate":0.5})", R"({"size":1.5})", R"({"inner":[]})",
        R"({"items":{}})", R"({"items":[null]})", R"({"labels":[]})", R"({"labels":{"a":1}})",
        R"({"figure":"1"})", R"({"flag":"true"})", R"({"flag":1})", R"({"inner":{"count":1.0}})",
        R"({"inner":{"count":18446744073709551615}})", R"({"size":-1})", "[]", "null", "3"}) {
    EXPECT_THAT(Complaint(text), Not(IsEmpty())) << text;
  }
}

TEST(Decode, BoundsLengthsInCharacters) {
  EXPECT_EQ(Complaint(R"({"labels":{"a":"äöü"}})"), "");
  EXPECT_THAT(Complaint(R"({"labels":{"a":"äöüß"}})"),
              HasSubstr("must have from 0 to 3 characters"));
  EXPECT_THAT(Complaint(R"({"items":[{"count":1},{"count":1},{"count":1}]})"),
              HasSubstr("has 3 entries, but must have from 0 to 2"));
}

TEST(Decode, IgnoresUnknownFieldsWhereAskedTo) {
  Problems problems;
  Read(R"({"new":1,"inner":{"count":1,"newer":2}})", problems, UnknownFields::kIgnore);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_THAT(Complaint(R"({"nmae":"a"})"),
              HasSubstr("top.nmae: is not a known field; did you mean name?"));
}

TEST(Decode, QuotesHostileInputAsShortValidUtf8) {
  std::string text = "{\"name\":\"x";
  for (int i = 0; i < 100; ++i) text += "\u20ac";
  text += "\",\"";
  for (int i = 0; i < 100; ++i) text += "\u20ac";
  text += "\":1}";
  Problems problems;
  Read(text.c_str(), problems);
  ASSERT_EQ(problems.size(), 2U);
  for (const Problem& problem : problems) {
    EXPECT_LT(problem.path.size(), 100U);
    EXPECT_NO_THROW(Json(problem.path + problem.message).dump());
  }
}

TEST(Matches, RefusesLongTextsInsteadOfRecursing) {
  EXPECT_TRUE(codec::Matches(std::string(2000, 'a'), "^[a-z]+$"));
  EXPECT_FALSE(codec::Matches(std::string(1'000'000, 'a'), "^[a-z]+$"));
}

TEST(Encode, LeavesOutWhatIsAbsentOrNotFinite) {
  Outer outer;
  outer.figure = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Encode(outer).dump(), R"({"name":"anon","colour":"green","rate":"0.5","flag":false})");
}

TEST(Encode, RoundsNumbersToSixDigits) {
  Outer outer;
  outer.figure = 1.23456789;
  EXPECT_EQ(Encode(outer).at("figure"), 1.23457);
}

TEST(Decimal, ReadsEveryFormThatThePatternAllows) {
  EXPECT_EQ(Decimal{"0.1"}.Value(), 0.1);
  EXPECT_EQ(Decimal{"5e-4"}.Value(), 5e-4);
  EXPECT_EQ(Decimal{"1e2"}.Value(), 100);
  EXPECT_EQ(Decimal{""}.Value(), 0);
}

TEST(SchemaOf, SaysWhatTheDecoderChecks) {
  const Json expected = Json::parse(R"({"type":"object","properties":{
      "name":{"type":"string","minLength":1,"maxLength":5,"pattern":"^[a-z]+$","default":"anon"},
      "colour":{"type":"string","enum":["red","green"],"default":"green"},
      "rate":{"type":"string","minLength":1,"maxLength":24,
              "pattern":"^[0-9]+(\\.[0-9]+)?(e-?[0-9]{1,2})?$","default":"0.5"},
      "size":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],
              "pattern":"^[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$","maxLength":24},
      "inner":{"type":"object","properties":{"count":{"type":"integer","minimum":0,"maximum":9}},
               "required":["count"]},
      "items":{"type":"array","items":{"type":"object",
               "properties":{"count":{"type":"integer","minimum":0,"maximum":9}},
               "required":["count"]},"maxItems":2},
      "labels":{"type":"object","additionalProperties":{"type":"string","maxLength":3},
                "maxProperties":2},
      "figure":{"type":"number"},
      "flag":{"type":"boolean","default":false}}})");
  EXPECT_EQ(SchemaOf<Outer>().dump(1), expected.dump(1));
}

}  // namespace
}  // namespace fairlap::base

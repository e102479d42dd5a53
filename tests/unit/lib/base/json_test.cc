#include "lib/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fairlap::base {
namespace {

using ::testing::HasSubstr;

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(ParseJson(R"({"b":1,"a":[2]})", "x")->dump(), R"({"b":1,"a":[2]})");
}

TEST(ParseJson, NamesTheSourceOfASyntaxError) {
  const auto json = ParseJson("{\"a\":", "report.json");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().kind, ErrorKind::kInvalidInput);
  EXPECT_THAT(json.error().message, HasSubstr("report.json: is not valid JSON"));
}

TEST(ParseJson, RefusesDeepNesting) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(64), "x"));
  for (const size_t depth : {size_t{66}, size_t{100'000}}) {
    const auto json = ParseJson(nested(depth), "x");
    ASSERT_FALSE(json);
    EXPECT_THAT(json.error().message, HasSubstr("nested deeper than 64"));
  }
}

}  // namespace
}  // namespace fairlap::base

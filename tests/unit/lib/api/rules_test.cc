#include "lib/api/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rule_cases.h"
#include "spec_text.h"

namespace fairlap::api {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(CheckRules, AcceptsASoundSpec) { EXPECT_THAT(CheckRules(MakeSpec("{}")), IsEmpty()); }

TEST(CheckRules, RefusesEachSpecThatBreaksARule) {
  for (const RuleCase& rule : kRuleCases) {
    SCOPED_TRACE(rule.broken);
    // Integers where a quantity could stand are bounded by the rule for the API server and by the
    // pattern for us, who read them as text.
    RunSpec spec;
    base::Problems unreadable;
    base::Decode(PatchedSpec(rule.broken), "spec", spec, unreadable);
    if (!unreadable.empty()) {
      EXPECT_EQ(unreadable[0].path, rule.path);
      continue;
    }
    EXPECT_THAT(CheckRules(spec),
                Contains(AllOf(Field(&base::Problem::path, rule.path),
                               Field(&base::Problem::message, StartsWith(rule.message)))));
  }
}

TEST(CheckRules, AcceptsTheSpecCloseByThatKeepsIt) {
  for (const RuleCase& rule : kRuleCases) {
    SCOPED_TRACE(rule.kept);
    for (const auto& problem : CheckRules(MakeSpec(rule.kept))) {
      ADD_FAILURE() << problem.path << ": " << problem.message;
    }
  }
}

TEST(SpecRules, HaveACaseEach) {
  for (const Rule& rule : SpecRules()) {
    const bool tried =
        std::any_of(std::begin(kRuleCases), std::end(kRuleCases), [&](const RuleCase& tested) {
          return rule.path == tested.path && rule.message.starts_with(tested.message);
        });
    EXPECT_TRUE(tried) << rule.path << ": " << rule.message;
  }
}

}  // namespace
}  // namespace fairlap::api

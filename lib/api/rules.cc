#include "lib/api/rules.h"

#include <string>
#include <vector>

#include "lib/api/rule_groups.h"

namespace fairlap::api {

std::span<const Rule> SpecRules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (const auto& group : {SectionRules(), ProblemRules(), HardwareRules()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return rules;
}

base::Problems CheckRules(const RunSpec& spec) {
  base::Problems problems;
  for (const Rule& rule : SpecRules()) {
    if (!rule.holds(spec)) {
      problems.push_back({std::string(rule.path), std::string(rule.message)});
    }
  }
  return problems;
}

}  // namespace fairlap::api

// The parts of SpecRules(), a table a file. Internal to rules.cc.
#ifndef FAIRLAP_LIB_API_RULE_GROUPS_H_
#define FAIRLAP_LIB_API_RULE_GROUPS_H_

#include <algorithm>
#include <span>
#include <string>

#include "lib/api/rules.h"

namespace fairlap::api {

std::span<const Rule> SectionRules();   // rules_sections.cc: between the four sections
std::span<const Rule> ProblemRules();   // rules_problem.cc: within spec.problem
std::span<const Rule> HardwareRules();  // rules_hardware.cc: within spec.compute and spec.storage

// True for "0.5" and "32Gi", false for "0" and "0.0": a decimal or quantity above zero.
inline bool IsPositive(const std::string& text) {
  const size_t mantissa = text.find('e');
  return text.substr(0, mantissa).find_first_of("123456789") != std::string::npos;
}

template <class T>
bool AllDistinct(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [&](const T& value) {
    return std::count(values.begin(), values.end(), value) == 1;
  });
}

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_RULE_GROUPS_H_

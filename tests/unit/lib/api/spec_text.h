// Specs for tests, from a sound one and a merge patch in YAML.
#ifndef FAIRLAP_TESTS_UNIT_LIB_API_SPEC_TEXT_H_
#define FAIRLAP_TESTS_UNIT_LIB_API_SPEC_TEXT_H_

#include <gtest/gtest.h>

#include "lib/api/documents.h"
#include "lib/api/spec.h"
#include "lib/api/yaml.h"
#include "rule_cases.h"

namespace fairlap::api {

inline base::Json PatchedSpec(const char* patch) {
  base::Json spec = ParseYaml(kSoundSpec).documents.at(0).root;
  spec.merge_patch(ParseYaml(patch).documents.at(0).root);
  return spec;
}

inline RunSpec MakeSpec(const char* patch) {
  RunSpec spec;
  base::Problems problems;
  base::Decode(PatchedSpec(patch), "spec", spec, problems);
  for (const auto& problem : problems) ADD_FAILURE() << problem.path << ": " << problem.message;
  return spec;
}

}  // namespace fairlap::api

#endif  // FAIRLAP_TESTS_UNIT_LIB_API_SPEC_TEXT_H_

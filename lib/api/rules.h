// The rules between fields that a schema cannot say: exactly one of each either-or, and what needs
// what. Each rule is here once with the CEL text that the CRD carries, so that the contract test
// can hold the two against each other and both sides give the same message.
#ifndef FAIRLAP_LIB_API_RULES_H_
#define FAIRLAP_LIB_API_RULES_H_

#include <span>
#include <string_view>

#include "lib/api/spec.h"
#include "lib/base/codec.h"

namespace fairlap::api {

struct Rule {
  std::string_view path;     // where the CRD carries it, relative to the root: "spec.problem.stop"
  std::string_view cel;      // x-kubernetes-validations[].rule
  std::string_view message;  // what is wrong and what is allowed
  bool (*holds)(const RunSpec&);
};

// The API server also tries the rules on an object's default {}, before the defaults of its fields
// are filled in; hence has() on fields that always have a value.
//
// Rules on a spec alone. Transition rules (immutability) and the name rule live only in the CRD and
// in ParseManifests.
std::span<const Rule> SpecRules();

base::Problems CheckRules(const RunSpec& spec);

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_RULES_H_

// What a plain (unquoted) YAML scalar means to kubectl. Internal to yaml.cc and yaml_writer.cc.
#ifndef FAIRLAP_LIB_API_YAML_SCALAR_H_
#define FAIRLAP_LIB_API_YAML_SCALAR_H_

#include <optional>
#include <string_view>

#include "lib/base/json.h"

namespace fairlap::api {

// The value as go-yaml 2 resolves it and kubectl passes it on as JSON (go.yaml.in/yaml/v2,
// resolve.go): YAML 1.1 booleans, null, integers in bases 2, 8, 10 and 16, floats (one without a
// fraction becomes an integer), else a string. nullopt for infinities and NaN, which JSON cannot
// hold.
std::optional<base::Json> TypePlainScalar(std::string_view text);

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_YAML_SCALAR_H_

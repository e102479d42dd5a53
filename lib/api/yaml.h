// YAML text <-> JSON documents, with the line of every field, for manifests and RunConfigs.
// Hostile input is expected: aliases, anchors and tags are refused, and size, depth and node count
// are capped while parsing, so a small text cannot become a large document. Never throws.
#ifndef FAIRLAP_LIB_API_YAML_H_
#define FAIRLAP_LIB_API_YAML_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/codec.h"
#include "lib/base/json.h"

namespace fairlap::api {

inline constexpr int64_t kMaxYamlBytes = 64 * 1024;

// The caps that a text must stay below; the defaults are for manifests and RunConfigs.
struct YamlLimits {
  int64_t bytes = kMaxYamlBytes;
  int64_t depth = 32;
  int64_t nodes = 10'000;  // values and keys
};

struct YamlDocument {
  base::Json root;
  std::map<std::string, int> lines;  // path ("spec.stop.steps", "" the root) -> 1-based line
};

struct YamlResult {
  std::vector<YamlDocument> documents;  // empty documents between --- are left out
  base::Problems problems;              // a syntax error, a cap, an alias; path may be ""
};

// Plain scalars are typed as kubectl types them (YAML 1.1: yes, no, on and off are booleans);
// quoted ones are strings. Duplicate keys, keys that are no text, NUL and invalid UTF-8 are
// refused. Parsing ends at the first problem: what follows it cannot be trusted.
YamlResult ParseYaml(std::string_view text, const YamlLimits& limits = {});

// Gives each problem without a line the line of its path, or of the nearest parent that has one.
void AddLines(const YamlDocument& document, base::Problems& problems);

// Block-style YAML that ParseYaml reads back as the same document; strings that another YAML reader
// could take for something else are quoted. Ends with a newline.
std::string ToYaml(const base::Json& json);

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_YAML_H_

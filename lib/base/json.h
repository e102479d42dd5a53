// The one JSON library for documents that we write and read whole. Keys keep their order, so that
// what we print is stable and reads like the manifest.
#ifndef FAIRLAP_LIB_BASE_JSON_H_
#define FAIRLAP_LIB_BASE_JSON_H_

#include <nlohmann/json.hpp>
#include <string_view>

#include "lib/base/result.h"

namespace fairlap::base {

using Json = nlohmann::ordered_json;

// Deeper documents are refused: writing and destroying one recurses.
inline constexpr int kMaxJsonDepth = 64;

// Parses a JSON document; never throws. `what` names the source in the error ("report.json").
Result<Json> ParseJson(std::string_view text, std::string_view what);

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_JSON_H_

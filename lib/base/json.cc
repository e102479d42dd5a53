#include "lib/base/json.h"

#include <string>

namespace fairlap::base {

Result<Json> ParseJson(std::string_view text, std::string_view what) {
  bool too_deep = false;
  // Called with the depth of each value that begins; a value refused here is not built.
  const Json::parser_callback_t refuse_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMaxJsonDepth;
    return !too_deep;
  };
  try {
    Json json = Json::parse(text.begin(), text.end(), refuse_depth);
    if (!too_deep) return json;
    return MakeError(ErrorKind::kInvalidInput, std::string(what) + ": is nested deeper than " +
                                                   std::to_string(kMaxJsonDepth) + " levels");
  } catch (const nlohmann::json::exception& error) {
    return MakeError(ErrorKind::kInvalidInput,
                     std::string(what) + ": is not valid JSON: " + error.what());
  }
}

}  // namespace fairlap::base

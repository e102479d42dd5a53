#include "lib/base/json.h"

#include <string>

namespace fairlap::base {

Result<Json> ParseJson(std::string_view text, std::string_view what) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::exception& error) {
    return MakeError(ErrorKind::kInvalidInput,
                     std::string(what) + ": is not valid JSON: " + error.what());
  }
}

}  // namespace fairlap::base

#include "operator/control/documents.h"

namespace fairlap::control {

using base::Json;

const Json* At(const Json& document, const std::string& pointer) {
  const Json::json_pointer path(pointer);
  return document.contains(path) ? &document[path] : nullptr;
}

std::string TextAt(const Json& document, const std::string& pointer) {
  const Json* found = At(document, pointer);
  return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

std::optional<base::WallTime> TimeAt(const Json& document, const std::string& pointer) {
  return base::ParseTime(TextAt(document, pointer));
}

const Json* EntryAt(const Json& document, const std::string& pointer, const char* key,
                    const std::string& value) {
  const Json* list = At(document, pointer);
  if (list == nullptr || !list->is_array()) return nullptr;
  for (const Json& entry : *list) {
    if (TextAt(entry, std::string("/") + key) == value) return &entry;
  }
  return nullptr;
}

std::string ControllerUid(const Json& object) {
  const Json* owners = At(object, "/metadata/ownerReferences");
  if (owners == nullptr || !owners->is_array()) return "";
  for (const Json& owner : *owners) {
    const Json* controls = At(owner, "/controller");
    if (controls != nullptr && *controls == true) return TextAt(owner, "/uid");
  }
  return "";
}

}  // namespace fairlap::control

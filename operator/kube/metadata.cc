#include "operator/kube/metadata.h"

namespace fairlap::kube {

std::string Metadata(const base::Json& object, const char* field) {
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return "";
  const auto found = metadata->find(field);
  return found != metadata->end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace fairlap::kube

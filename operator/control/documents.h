// Reading fields of Kubernetes documents that may be absent.
#ifndef FAIRLAP_OPERATOR_CONTROL_DOCUMENTS_H_
#define FAIRLAP_OPERATOR_CONTROL_DOCUMENTS_H_

#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/json.h"

namespace fairlap::control {

// What `pointer` ("/metadata/name") leads to; nullptr if nothing is there.
const base::Json* At(const base::Json& document, const std::string& pointer);
std::string TextAt(const base::Json& document, const std::string& pointer);  // "" if absent
std::optional<base::WallTime> TimeAt(const base::Json& document, const std::string& pointer);

// The entry of the list at `pointer` whose `key` is `value`; nullptr if there is none.
const base::Json* EntryAt(const base::Json& document, const std::string& pointer, const char* key,
                          const std::string& value);

inline std::string NameOf(const base::Json& object) { return TextAt(object, "/metadata/name"); }
inline std::string NamespaceOf(const base::Json& object) {
  return TextAt(object, "/metadata/namespace");
}
inline std::string UidOf(const base::Json& object) { return TextAt(object, "/metadata/uid"); }

// The UID of the owner that controls the object; "" if none does.
std::string ControllerUid(const base::Json& object);

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_DOCUMENTS_H_

// The metadata of an object from the API server. Pure; never throws.
#ifndef FAIRLAP_OPERATOR_KUBE_METADATA_H_
#define FAIRLAP_OPERATOR_KUBE_METADATA_H_

#include <string>

#include "lib/base/json.h"

namespace fairlap::kube {

// metadata.<field>; "" if that is absent or no text.
std::string Metadata(const base::Json& object, const char* field);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_METADATA_H_

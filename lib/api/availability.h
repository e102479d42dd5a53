// What is valid but not built yet in this version. Refused by name before anything is created: a
// benchmark that silently does something else is worse than none.
#ifndef FAIRLAP_LIB_API_AVAILABILITY_H_
#define FAIRLAP_LIB_API_AVAILABILITY_H_

#include "lib/api/spec.h"
#include "lib/base/codec.h"

namespace fairlap::api {

// One problem per unavailable value: "spec.software.precision: bf16 is not available in this
// version".
base::Problems CheckAvailability(const RunSpec& spec);

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_AVAILABILITY_H_

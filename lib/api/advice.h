// What is allowed in a spec, but hardly what was meant. Pure.
#ifndef FAIRLAP_LIB_API_ADVICE_H_
#define FAIRLAP_LIB_API_ADVICE_H_

#include "lib/api/spec.h"
#include "lib/base/codec.h"

namespace fairlap::api {

base::Problems Advise(const RunSpec& spec);

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_ADVICE_H_

// Makes the networks of lib/models/networks.h by name. Includes no libtorch.
#ifndef FAIRLAP_WORKER_MODEL_REGISTRY_H_
#define FAIRLAP_WORKER_MODEL_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "lib/models/networks.h"

namespace fairlap::model {

class Network;

// Initialised from libtorch's default generator, on the CPU, in training mode. `classes` is ignored
// by networks that are no classifiers. nullptr if there is none of this name.
std::shared_ptr<Network> MakeNetwork(std::string_view name, int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_REGISTRY_H_

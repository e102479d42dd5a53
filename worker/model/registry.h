// Which networks there are, and what was published about each. Includes no libtorch.
#ifndef FAIRLAP_WORKER_MODEL_REGISTRY_H_
#define FAIRLAP_WORKER_MODEL_REGISTRY_H_

#include <cstdint>
#include <memory>

#include "lib/api/spec.h"

namespace fairlap::model {

class Network;

struct NetworkEntry {
  api::Model model{};
  int64_t published_parameters = 0;  // trainable, at published_classes
  int64_t published_classes = 0;
  int64_t image_size = 0;  // published, pixels an edge
  int64_t smallest_image_size = 0;
  // Initialised from libtorch's default generator, on the CPU, in training mode.
  std::shared_ptr<Network> (*make)(int64_t classes) = nullptr;
};

// nullptr if this version does not have it.
const NetworkEntry* FindNetwork(api::Model model);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_REGISTRY_H_

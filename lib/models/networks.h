// The networks that can be trained, and what was published about each. Facts alone: the networks
// themselves are in worker/model, which a test holds against this table.
#ifndef FAIRLAP_LIB_MODELS_NETWORKS_H_
#define FAIRLAP_LIB_MODELS_NETWORKS_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace fairlap::models {

enum class Task {
  kClassification,  // an image to a logit a class
  kDenoising,       // an image to a cleaner one of the same size
};

struct NetworkFacts {
  std::string_view name;  // as in spec.software.model
  Task task = Task::kClassification;
  int64_t parameters = 0;  // trainable, at `classes` classes
  std::string_view
      published;           // their number as the source prints it: "25,557,032", "0.27 M"; or ""
  int64_t classes = 0;     // published; 0: not a classifier
  int64_t channels = 3;    // of an image
  int64_t image_size = 0;  // published, pixels an edge
  int64_t smallest_image_size = 0;  // and every larger one that is a multiple of size_multiple
  int64_t size_multiple = 1;
  // Of one forward pass of one image in training mode: convolutions and fully connected layers,
  // auxiliary heads included.
  int64_t multiply_adds = 0;
  std::string_view source;  // paper, and where the published number of parameters stands
};

std::span<const NetworkFacts> AllNetworks();

// nullptr if there is none of this name.
const NetworkFacts* FindFacts(std::string_view name);

}  // namespace fairlap::models

#endif  // FAIRLAP_LIB_MODELS_NETWORKS_H_

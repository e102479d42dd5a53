// VGG, Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition"
// (2014), table 1, configuration D (VGG-16), without batch normalisation. Convolutions are
// initialised for rectifiers (layers.h), fully connected layers normal with deviation 0.01 and bias
// 0, both as torchvision does, since the paper's own scheme needs a trained shallower network.
// Module names are torchvision's.
#ifndef FAIRLAP_WORKER_MODEL_VGG_H_
#define FAIRLAP_WORKER_MODEL_VGG_H_

#include <cstdint>
#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

std::shared_ptr<Network> MakeVgg16(int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_VGG_H_

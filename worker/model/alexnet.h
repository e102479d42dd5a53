// AlexNet, Krizhevsky, "One weird trick for parallelizing convolutional neural networks" (2014), as
// torchvision writes it down: five convolutions, three fully connected layers, no local response
// normalisation, dropout of one half before the first two fully connected layers. Initialised with
// libtorch's defaults, as torchvision does. Module names are torchvision's.
#ifndef FAIRLAP_WORKER_MODEL_ALEXNET_H_
#define FAIRLAP_WORKER_MODEL_ALEXNET_H_

#include <cstdint>
#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

std::shared_ptr<Network> MakeAlexNet(int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_ALEXNET_H_

// The CIFAR ResNets v1: He et al., "Deep Residual Learning for Image Recognition" (2015),
// section 4.2. Three stages of n basic blocks with 16, 32 and 64 channels, depth = 6 n + 2.
// Shortcuts are the paper's option A, which it uses "in all cases" on CIFAR: identity, and where a
// stage begins every second pixel with the new channels zero, so that a shortcut has no parameters
// (ResNet-20: 269,722 at 10 classes, the paper's 0.27 M; a Keras example that projects with 1x1
// convolutions and gives every convolution a bias has 274,442). Convolutions are initialised as the
// paper cites (layers.h).
#ifndef FAIRLAP_WORKER_MODEL_RESNET_CIFAR_H_
#define FAIRLAP_WORKER_MODEL_RESNET_CIFAR_H_

#include <cstdint>
#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

// `depth` is 6 n + 2: 20, 32, 44, 56, 110. Takes images of 4 pixels an edge and more; 32 is
// published.
std::shared_ptr<Network> MakeCifarResNet(int64_t depth, int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_RESNET_CIFAR_H_

// The CIFAR ResNets v2: He et al., "Identity Mappings in Deep Residual Networks" (2016), whose
// blocks normalise and rectify before each convolution. Bottleneck blocks in three stages of n with
// 16, 32 and 64 channels inside and four times as many outside, depth = 9 n + 2: the paper's
// ResNet-164, and 56 and 110 by the same rule, as Keras' example counts them. (The paper's own
// ResNet-110 has two-convolution blocks instead.) Where the shape changes, the shortcut is a 1x1
// convolution of the rectified input. Convolutions are initialised as in layers.h.
#ifndef FAIRLAP_WORKER_MODEL_RESNET_CIFAR_V2_H_
#define FAIRLAP_WORKER_MODEL_RESNET_CIFAR_V2_H_

#include <cstdint>
#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

// `depth` is 9 n + 2: 56, 110, 164.
std::shared_ptr<Network> MakeCifarResNetV2(int64_t depth, int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_RESNET_CIFAR_V2_H_

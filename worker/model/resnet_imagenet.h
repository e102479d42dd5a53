// The bottleneck ResNets for ImageNet: He et al., "Deep Residual Learning for Image Recognition"
// (2015), table 1, in the v1.5 variant: a stage's stride stands in its first block's 3x3
// convolution instead of the first 1x1, as in torchvision and in the MLPerf reference. Initialised
// as torchvision does; the last normalisation of a block starts at 1 (no zero initialisation).
// Module names and order of the parameters are torchvision's.
#ifndef FAIRLAP_WORKER_MODEL_RESNET_IMAGENET_H_
#define FAIRLAP_WORKER_MODEL_RESNET_IMAGENET_H_

#include <array>
#include <cstdint>
#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

// Blocks in each of the four stages.
using StageBlocks = std::array<int64_t, 4>;
inline constexpr StageBlocks kResNet50Blocks = {3, 4, 6, 3};
inline constexpr StageBlocks kResNet152Blocks = {3, 8, 36, 3};

// Takes images of 32 pixels an edge and more; 224 are the published size.
std::shared_ptr<Network> MakeBottleneckResNet(const StageBlocks& blocks, int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_RESNET_IMAGENET_H_

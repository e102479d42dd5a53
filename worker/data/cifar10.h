// The binary version of CIFAR-10 (https://www.cs.toronto.edu/~kriz/cifar.html): records of one
// label and 3 x 32 x 32 bytes, planes in the order red, green, blue.
#ifndef FAIRLAP_WORKER_DATA_CIFAR10_H_
#define FAIRLAP_WORKER_DATA_CIFAR10_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "lib/base/result.h"
#include "worker/data/dataset.h"

namespace fairlap::data {

inline constexpr int64_t kCifarEdge = 32;
inline constexpr int64_t kCifarPixels = 3 * kCifarEdge * kCifarEdge;
inline constexpr int64_t kCifarRecord = 1 + kCifarPixels;

// Augmentation is that of He et al. (Deep Residual Learning, 4.2): 4 pixels of padding on each
// side, a random 32 x 32 crop of it or of its mirror image. The padding is black before
// normalisation.
base::Result<std::unique_ptr<Dataset>> OpenCifar10(const std::filesystem::path& root, Split split,
                                                   std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_CIFAR10_H_

// Inception v3: Szegedy et al., "Rethinking the Inception Architecture for Computer Vision" (2015),
// as torchvision writes it down, with the auxiliary head that training uses (its loss counts 0.4,
// as in torchvision's reference). Takes images of 299 pixels an edge and more: the auxiliary head
// needs a grid of 17 x 17. Weights: normal with deviation 0.1, in the auxiliary head 0.01 and 0.001
// (torchvision truncates them at +-2, which is 20 deviations and more); normalisations have epsilon
// 0.001. Module names are torchvision's.
#ifndef FAIRLAP_WORKER_MODEL_INCEPTION_H_
#define FAIRLAP_WORKER_MODEL_INCEPTION_H_

#include <cstdint>
#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

// In evaluation mode there is no auxiliary prediction.
std::shared_ptr<Network> MakeInceptionV3(int64_t classes);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_INCEPTION_H_

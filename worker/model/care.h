// The denoising U-Net of CARE: Weigert et al., "Content-aware image restoration" (2018), in 2-D, as
// CSBDeep builds it: two convolutions of 3x3 with bias and rectifier at every depth, maximum
// pooling and nearest up-sampling by 2, skip connections by concatenation, and a last 1x1
// convolution whose result is added to the input. Depth 2 and 16 base filters, as deeprace trains
// it. Weights are initialised as Keras' default for that code: uniform after Glorot and Bengio
// (2010), biases 0.
#ifndef FAIRLAP_WORKER_MODEL_CARE_H_
#define FAIRLAP_WORKER_MODEL_CARE_H_

#include <memory>

#include "worker/model/network.h"

namespace fairlap::model {

// N x 1 x S x S -> the same; S is a multiple of 4.
std::shared_ptr<Network> MakeCare2d();

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_CARE_H_

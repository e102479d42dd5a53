// The layers that the residual families share.
#ifndef FAIRLAP_WORKER_MODEL_LAYERS_H_
#define FAIRLAP_WORKER_MODEL_LAYERS_H_

#include <torch/torch.h>

#include <cstdint>

namespace fairlap::model {

// A convolution without bias, since a batch normalisation follows it, padded to keep the size at
// stride 1. `kernel` is odd.
torch::nn::Conv2d Convolution(int64_t in_channels, int64_t out_channels, int64_t kernel,
                              int64_t stride);

// Convolutions: normal with variance 2 / (out_channels x kernel area), as "fan_out" in He et al.,
// "Delving Deep into Rectifiers" (2015); normalisations: weight 1, bias 0. The fully connected
// layer keeps libtorch's default, uniform within 1 / sqrt(inputs). Draws from libtorch's default
// generator.
void InitialiseResidualNetwork(torch::nn::Module& network);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_LAYERS_H_

// The layers and initialisations that more than one family uses.
#ifndef FAIRLAP_WORKER_MODEL_LAYERS_H_
#define FAIRLAP_WORKER_MODEL_LAYERS_H_

#include <torch/torch.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fairlap::model {

// A convolution without bias, since a batch normalisation follows it, padded to keep the size at
// stride 1. `kernel` is odd.
torch::nn::Conv2d Convolution(int64_t in_channels, int64_t out_channels, int64_t kernel,
                              int64_t stride);

// One with bias, for networks without normalisation.
torch::nn::Conv2d BiasedConvolution(int64_t in_channels, int64_t out_channels, int64_t kernel,
                                    int64_t stride, int64_t padding);

// N x C x H x W -> N x C, the mean over each plane.
torch::Tensor AveragePlanes(const torch::Tensor& activation);

// Appends `count` blocks made by make(i) to `blocks` and registers them as the list `name` of
// `network`.
template <class Block, class MakeBlock>
void AddStage(torch::nn::Module& network, const std::string& name, int64_t count,
              std::vector<Block>& blocks, const MakeBlock& make) {
  torch::nn::ModuleList list;
  for (int64_t i = 0; i < count; ++i) {
    blocks.push_back(make(i));
    list->push_back(blocks.back());
  }
  network.register_module(name, list);
}

// Convolutions: normal with variance 2 / (out_channels x kernel area), as "fan_out" in He et al.,
// "Delving Deep into Rectifiers" (2015), biases 0; normalisations: weight 1, bias 0. Fully
// connected layers keep libtorch's default, uniform within 1 / sqrt(inputs). Draws from libtorch's
// default generator.
void InitialiseForRectifiers(torch::nn::Module& network);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_LAYERS_H_

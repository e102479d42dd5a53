// What every network of the registry is: a torch module from a batch of images to its prediction,
// that can be stopped between its blocks. Not thread-safe: one network is used by one thread at a
// time. This directory needs libtorch and lib/models alone.
#ifndef FAIRLAP_WORKER_MODEL_NETWORK_H_
#define FAIRLAP_WORKER_MODEL_NETWORK_H_

#include <torch/torch.h>

#include <exception>
#include <stop_token>

namespace fairlap::model {

// Leaves Forward and backward() when a stop is requested. An exception because it has to pass
// through the framework's autograd engine; the training loop turns it into kInterrupted.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

struct Prediction {
  torch::Tensor output;     // N x classes logits, or the cleaned images
  torch::Tensor auxiliary;  // N x classes logits of a second head that helps to train; often none
};

class Network : public torch::nn::Module {
 public:
  // N x C x S x S, on the network's device, in either memory format.
  virtual Prediction Forward(torch::Tensor images) = 0;

  // From now on Forward and backward() throw Interrupted soon after a stop is requested: one block
  // of one pass later, so that a step of many seconds does not delay the end of the program.
  void StopWith(std::stop_token stop) { stop_ = std::move(stop); }

 protected:
  // Families pass each block's output through here.
  torch::Tensor BetweenBlocks(torch::Tensor activation) const;
  // `layers` one after the other, with a chance to stop between any two.
  torch::Tensor RunLayers(torch::nn::Sequential& layers, torch::Tensor activation) const;

 private:
  std::stop_token stop_;
};

// Makes dropout the identity, in training too: for comparing with another framework.
void DisableDropout(torch::nn::Module& network);

}  // namespace fairlap::model

#endif  // FAIRLAP_WORKER_MODEL_NETWORK_H_

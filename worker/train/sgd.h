// Stochastic gradient descent with momentum, for all parameters in one call of libtorch's fused
// kernel. The update rule is torch.optim.SGD's (dampening 0): g += weight_decay x p; v = momentum x
// v + g; p -= rate x (nesterov ? g + momentum x v : v).
#ifndef FAIRLAP_WORKER_TRAIN_SGD_H_
#define FAIRLAP_WORKER_TRAIN_SGD_H_

#include <torch/torch.h>

#include <optional>
#include <vector>

#include "lib/api/spec.h"

namespace fairlap::train {

struct SgdOptions {
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0;
  // false: parameters of one dimension (normalisations and biases) are not decayed.
  bool decay_norm_and_bias = true;
  std::optional<double> gradient_clip_norm;  // of all gradients together
};

SgdOptions MakeSgdOptions(const api::OptimizerSpec& spec);

class Sgd {
 public:
  // Shares the parameters with their network. They stay on the device on which they are now.
  Sgd(const std::vector<torch::Tensor>& parameters, const SgdOptions& options);

  void ZeroGradients();
  // Every parameter has a gradient.
  void Step(double learning_rate);

 private:
  struct Group {
    std::vector<torch::Tensor> parameters, momenta;
    double weight_decay = 0;
  };

  void Update(Group& group, double learning_rate);
  void ClipGradients();

  SgdOptions options_;
  std::vector<Group> groups_;
};

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_SGD_H_

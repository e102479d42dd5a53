// The optimizers, for all parameters in a few calls of libtorch's fused multi-tensor kernels; its
// C++ optimizers loop over tensors. Rules and defaults are torch.optim's.
#ifndef FAIRLAP_WORKER_STEP_OPTIMIZER_H_
#define FAIRLAP_WORKER_STEP_OPTIMIZER_H_

#include <torch/torch.h>

#include <optional>
#include <vector>

namespace fairlap::step {

enum class Algorithm {
  kSgd,    // g += decay p; v = momentum v + g; p -= rate (nesterov ? g + momentum v : v)
  kAdam,   // Kingma and Ba 2014; the decay is added to the gradient
  kAdamW,  // Loshchilov and Hutter 2017: p -= rate decay p, apart from the gradient
};

struct OptimizerOptions {
  Algorithm algorithm = Algorithm::kSgd;
  double momentum = 0;
  bool nesterov = false;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 0;
  // false: parameters of one dimension (normalisations and biases) are not decayed.
  bool decay_norm_and_bias = true;
  std::optional<double> gradient_clip_norm;  // of all gradients together
};

class Optimizer {
 public:
  // Shares the parameters with their network. They stay on the device on which they are now.
  Optimizer(const std::vector<torch::Tensor>& parameters, const OptimizerOptions& options);

  void ZeroGradients();
  // Every parameter has a gradient. With `found_infinity` (one float on the device, not 0 if a
  // gradient is not finite) nothing is changed where it says so.
  void Step(double learning_rate, const torch::Tensor& found_infinity = {});
  // The same with the rate on the device, read when the work is done: for captured graphs.
  void Step(const torch::Tensor& learning_rate, const torch::Tensor& found_infinity = {});

  std::vector<torch::Tensor> Gradients() const;

 private:
  struct Group {
    std::vector<torch::Tensor> parameters;
    std::vector<torch::Tensor> first, second;  // momenta, and of Adam the squares
    std::vector<torch::Tensor> steps;          // Adam: one tensor, once for each parameter
    double weight_decay = 0;

    std::vector<torch::Tensor> Gradients() const;
  };

  void AddGroup(Group group);
  void ClipGradients();
  template <class Rate>
  void StepAll(const Rate& learning_rate, const torch::Tensor& found_infinity);
  template <class Rate>
  void Update(Group& group, const Rate& learning_rate, const torch::Tensor& found_infinity);

  OptimizerOptions options_;
  std::vector<Group> groups_;
};

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_OPTIMIZER_H_

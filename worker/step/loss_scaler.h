// Dynamic loss scaling for fp16, as torch.amp.GradScaler does it and with its defaults: the loss is
// multiplied by a scale so that small gradients do not vanish; a step whose gradients overflow is
// left out and halves the scale, 2,000 good steps in a row double it. Everything stays on the
// device: nothing waits for it.
#ifndef FAIRLAP_WORKER_STEP_LOSS_SCALER_H_
#define FAIRLAP_WORKER_STEP_LOSS_SCALER_H_

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace fairlap::step {

class LossScaler {
 public:
  explicit LossScaler(torch::Device device);

  torch::Tensor Scale(const torch::Tensor& loss) const { return loss * scale_; }
  // Divides the gradients by the scale, and notes whether one is not finite.
  void Unscale(const std::vector<torch::Tensor>& gradients);
  // After Unscale: one float, 1 if a gradient was not finite, else 0.
  const torch::Tensor& found_infinity() const { return found_infinity_; }
  // After the optimizer's step.
  void Update();

  // How many updates were left out. Waits for the device.
  int64_t SkippedUpdates() const;
  double scale() const;  // waits for the device

 private:
  torch::Tensor scale_, growth_tracker_, found_infinity_, skipped_;
};

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_LOSS_SCALER_H_

// How numbers are held and multiplied: the framework's global switches, and automatic casting.
#ifndef FAIRLAP_WORKER_STEP_PRECISION_H_
#define FAIRLAP_WORKER_STEP_PRECISION_H_

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace fairlap::step {

// Weights, gradients and updates are float32 in all of them.
enum class Precision {
  kFp32,  // without TF32, cuDNN's own default
  kTf32,  // GPUs round the inputs of matrix products and convolutions to 10 bits of mantissa
  kBf16,  // matrix products and convolutions in bfloat16, by the framework's list of operators
  kFp16,  // the same in float16, with dynamic loss scaling
};

std::optional<Precision> ParsePrecision(std::string_view name);  // "fp32", "tf32", ...

// Of this process; before the first operator runs. `threads`: of operators on the CPU.
void SetNumerics(Precision precision, int64_t threads);

// While it lives, operators of this thread are cast as `precision` says. Nothing for fp32 and tf32.
class AutocastScope {
 public:
  AutocastScope(Precision precision, torch::Device device);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  bool active_;
  at::DeviceType device_;
};

// `network` on `device`, its convolutions' weights in `format`. Parameters keep their identity.
void PlaceNetwork(torch::nn::Module& network, torch::Device device, torch::MemoryFormat format);

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_PRECISION_H_

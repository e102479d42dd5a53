#include "worker/step/precision.h"

#include <ATen/autocast_mode.h>

#include <array>
#include <utility>

namespace fairlap::step {

std::optional<Precision> ParsePrecision(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Precision>, 4> kNames = {
      {{"fp32", Precision::kFp32},
       {"tf32", Precision::kTf32},
       {"bf16", Precision::kBf16},
       {"fp16", Precision::kFp16}}};
  for (const auto& [known, precision] : kNames) {
    if (known == name) return precision;
  }
  return std::nullopt;
}

void SetNumerics(Precision precision, int64_t threads) {
  at::set_num_threads(static_cast<int>(threads));
  const bool tf32 = precision == Precision::kTf32;
  at::globalContext().setAllowTF32CuBLAS(tf32);
  at::globalContext().setAllowTF32CuDNN(tf32);
  at::globalContext().setBenchmarkCuDNN(true);  // shapes do not change from step to step
}

AutocastScope::AutocastScope(Precision precision, torch::Device device)
    : active_(precision == Precision::kBf16 || precision == Precision::kFp16),
      device_(device.type()) {
  if (!active_) return;
  at::autocast::increment_nesting();
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(
      device_, precision == Precision::kBf16 ? torch::kBFloat16 : torch::kFloat16);
  at::autocast::set_autocast_cache_enabled(true);
}

AutocastScope::~AutocastScope() {
  if (!active_) return;
  at::autocast::set_autocast_enabled(device_, false);
  // The casted weights are of this step.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
}

void PlaceNetwork(torch::nn::Module& network, torch::Device device, torch::MemoryFormat format) {
  network.to(device);
  for (torch::Tensor& parameter : network.parameters()) {
    if (parameter.dim() == 4) parameter.set_data(parameter.data().contiguous(format));
  }
}

}  // namespace fairlap::step

#include "worker/step/loss_scaler.h"

namespace fairlap::step {
namespace {

constexpr double kInitialScale = 65536;
constexpr double kGrowth = 2, kBackoff = 0.5;
constexpr int64_t kGrowthInterval = 2000;

}  // namespace

LossScaler::LossScaler(torch::Device device) {
  const auto floats = torch::dtype(torch::kFloat32).device(device);
  scale_ = torch::full({}, kInitialScale, floats);
  growth_tracker_ = torch::zeros({}, floats.dtype(torch::kInt32));
  found_infinity_ = torch::zeros({}, floats);
  skipped_ = torch::zeros({}, floats.dtype(torch::kInt64));
}

void LossScaler::Unscale(const std::vector<torch::Tensor>& gradients) {
  const torch::NoGradGuard no_grad;
  found_infinity_.zero_();
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_infinity_, scale_.reciprocal());
}

void LossScaler::Update() {
  const torch::NoGradGuard no_grad;
  skipped_ += found_infinity_.to(torch::kInt64);
  at::_amp_update_scale_(scale_, growth_tracker_, found_infinity_, kGrowth, kBackoff,
                         kGrowthInterval);
}

int64_t LossScaler::SkippedUpdates() const { return skipped_.item<int64_t>(); }
double LossScaler::scale() const { return scale_.item<double>(); }

}  // namespace fairlap::step

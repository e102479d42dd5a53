#include "lib/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace fairlap::stats {
namespace {

constexpr double kNormalConsistency = 1.4826;  // 1 / the 3/4 quantile of the standard normal

}  // namespace

std::optional<double> Quantile(std::span<const double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::vector<double> ordered(values.begin(), values.end());
  const double position = q * static_cast<double>(ordered.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(std::floor(position));
  const auto lower = ordered.begin() + below;
  std::nth_element(ordered.begin(), lower, ordered.end());
  const double fraction = position - std::floor(position);
  if (fraction == 0) return *lower;
  const double upper = *std::min_element(lower + 1, ordered.end());
  return *lower + fraction * (upper - *lower);
}

std::optional<double> ScaledMedianAbsoluteDeviation(std::span<const double> values) {
  const std::optional<double> median = Quantile(values, 0.5);
  if (!median) return std::nullopt;
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) deviations.push_back(std::abs(value - *median));
  return kNormalConsistency * *Quantile(deviations, 0.5);
}

}  // namespace fairlap::stats

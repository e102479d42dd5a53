// Quantiles and a robust spread of a sample. Pure.
#ifndef FAIRLAP_LIB_STATS_QUANTILES_H_
#define FAIRLAP_LIB_STATS_QUANTILES_H_

#include <optional>
#include <span>

namespace fairlap::stats {

// The q-quantile, q in [0, 1], with linear interpolation between order statistics (Hyndman and Fan
// 1996, type 7). nullopt for an empty sample. `values` must be finite; their order does not matter.
std::optional<double> Quantile(std::span<const double> values, double q);

// 1.4826 x the median absolute deviation from the median: estimates the standard deviation of a
// normal sample and is not moved by a few outliers. nullopt for an empty sample.
std::optional<double> ScaledMedianAbsoluteDeviation(std::span<const double> values);

}  // namespace fairlap::stats

#endif  // FAIRLAP_LIB_STATS_QUANTILES_H_

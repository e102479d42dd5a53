// Descriptions and intervals over repeats; definitions: docs/measurement.md, "Over repeats". Pure.
#ifndef FAIRLAP_LIB_STATS_SUMMARY_H_
#define FAIRLAP_LIB_STATS_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/base/describe.h"

namespace fairlap::stats {

// Which way is better, for `best`.
enum class Better { kHigher, kLower };

// What one metric did over the counted repeats. A failed repeat counts as infinitely bad: then the
// mean, deviation, interval and the worst end of the range (the minimum of a rate, the maximum of a
// time) are absent, and the median treats it as the worst value (absent where a failed repeat is,
// or is one of the two that make, the median).
struct Summary {
  int64_t n = 0;               // counted repeats, failed ones included
  int64_t succeeded = 0;       // k of n
  std::vector<double> values;  // of the repeats that succeeded, in order
  std::optional<double> mean;
  std::optional<double> median;
  std::optional<double> standard_deviation;  // n - 1 in the denominator; n >= 2
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> confidence_low;  // 95 % Student-t interval of the mean; n >= 2
  std::optional<double> confidence_high;
  std::optional<double> olympic_mean;  // fastest and slowest dropped; n >= 5; a description only
  std::optional<double> best;          // a description only

  template <class V>
  static void Describe(V& v) {
    using base::Integer;
    using base::Items;
    using base::Plain;
    v(&Summary::n, "n", Integer(0, 50));
    v(&Summary::succeeded, "succeeded", Integer(0, 50));
    v(&Summary::values, "values", Items(0, 50));
    v(&Summary::mean, "mean", Plain());
    v(&Summary::median, "median", Plain());
    v(&Summary::standard_deviation, "standardDeviation", Plain());
    v(&Summary::minimum, "minimum", Plain());
    v(&Summary::maximum, "maximum", Plain());
    v(&Summary::confidence_low, "confidenceLow", Plain());
    v(&Summary::confidence_high, "confidenceHigh", Plain());
    v(&Summary::olympic_mean, "olympicMean", Plain());
    v(&Summary::best, "best", Plain());
  }
};

// `values`: finite, one per counted repeat that succeeded; `failed`: counted repeats that failed
// after their container started.
Summary Summarise(std::span<const double> values, int64_t failed, Better better);

}  // namespace fairlap::stats

#endif  // FAIRLAP_LIB_STATS_SUMMARY_H_

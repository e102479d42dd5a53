#include "lib/stats/summary.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace fairlap::stats {
namespace {

constexpr double kConfidence = 0.95;
constexpr int64_t kOlympicMinimum = 5;

// Errors become values that Finite() drops, instead of exceptions.
using NoThrow = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

// A document holds no number that is not finite, so neither does a summary.
std::optional<double> Finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

struct Moments {
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean
};

// Welford's one-pass update (Technometrics 4, 1962): exact for constant values, no cancellation.
Moments MomentsOf(std::span<const double> values) {
  Moments moments;
  double count = 0;
  for (const double value : values) {
    const double delta = value - moments.mean;
    moments.mean += delta / ++count;
    moments.squares += delta * (value - moments.mean);
  }
  return moments;
}

void AddMeanAndInterval(std::span<const double> values, Summary& summary) {
  const Moments moments = MomentsOf(values);
  summary.mean = Finite(moments.mean);
  if (values.size() < 2) return;
  const double count = static_cast<double>(values.size());
  const double deviation = std::sqrt(moments.squares / (count - 1));
  const boost::math::students_t_distribution<double, NoThrow> student(count - 1);
  const double quantile =
      boost::math::quantile(boost::math::complement(student, (1 - kConfidence) / 2));
  const double half_width = quantile * deviation / std::sqrt(count);
  summary.standard_deviation = Finite(deviation);
  summary.confidence_low = Finite(moments.mean - half_width);
  summary.confidence_high = Finite(moments.mean + half_width);
}

// `best_first` is followed, in thought, by `n - best_first.size()` failed repeats.
std::optional<double> Median(std::span<const double> best_first, int64_t n) {
  const auto upper = static_cast<size_t>(n / 2);
  if (upper >= best_first.size()) return std::nullopt;
  if (n % 2 == 1) return best_first[upper];
  return Finite(std::midpoint(best_first[upper - 1], best_first[upper]));
}

}  // namespace

Summary Summarise(std::span<const double> values, int64_t failed, Better better) {
  Summary summary;
  summary.succeeded = static_cast<int64_t>(values.size());
  summary.n = summary.succeeded + failed;
  summary.values.assign(values.begin(), values.end());
  if (values.empty()) return summary;

  const bool higher = better == Better::kHigher;
  std::vector<double> best_first(values.begin(), values.end());
  std::sort(best_first.begin(), best_first.end(),
            [higher](double a, double b) { return higher ? a > b : a < b; });
  summary.best = best_first.front();
  summary.median = Median(best_first, summary.n);
  (higher ? summary.maximum : summary.minimum) = best_first.front();
  if (failed > 0) return summary;

  (higher ? summary.minimum : summary.maximum) = best_first.back();
  AddMeanAndInterval(values, summary);
  if (summary.n >= kOlympicMinimum) {
    const std::span<const double> inner(best_first.data() + 1, best_first.size() - 2);
    summary.olympic_mean = Finite(MomentsOf(inner).mean);
  }
  return summary;
}

}  // namespace fairlap::stats

#include "lib/stats/break_even.h"

#include <cmath>

namespace fairlap::stats {
namespace {

constexpr double kMostEpochs = 9007199254740992;  // 2^53: above it a double skips integers

bool IsDuration(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

}  // namespace

std::optional<int64_t> BreakEvenEpochs(double copy_seconds, double staged_epoch_seconds,
                                       double direct_epoch_seconds) {
  if (!IsDuration(copy_seconds) || !IsDuration(staged_epoch_seconds) ||
      !IsDuration(direct_epoch_seconds)) {
    return std::nullopt;
  }
  const double saved = direct_epoch_seconds - staged_epoch_seconds;
  if (saved <= 0) return std::nullopt;
  // Strictly faster: at a quotient that is a whole number the two are even.
  const double epochs = std::floor(copy_seconds / saved) + 1;
  if (epochs >= kMostEpochs) return std::nullopt;
  return static_cast<int64_t>(epochs);
}

}  // namespace fairlap::stats

#include "worker/measure/stall_shares.h"

#include <algorithm>
#include <cmath>

#include "lib/base/text.h"
#include "lib/stats/blocks.h"

namespace fairlap::measure {
namespace {

using stats::BlockSpread;

struct Spreads {
  BlockSpread t0, t1, t2, t3, t1_again;
};

std::optional<Spreads> SpreadsOf(const StallPhases& phases) {
  const auto t0 = stats::SpreadOfBlocks(phases.t0), t1 = stats::SpreadOfBlocks(phases.t1),
             t2 = stats::SpreadOfBlocks(phases.t2), t3 = stats::SpreadOfBlocks(phases.t3),
             again = stats::SpreadOfBlocks(phases.t1_again);
  if (!t0 || !t1 || !t2 || !t3 || !again) return std::nullopt;
  return Spreads{*t0, *t1, *t2, *t3, *again};
}

struct Share {
  double value = 0, noise = 0;
};

// (a - b) / t2, whose three errors are independent.
Share ShareOf(const BlockSpread& a, const BlockSpread& b, const BlockSpread& t2) {
  const double value = (a.mean - b.mean) / t2.mean;
  const double error = std::hypot(a.standard_error, b.standard_error, value * t2.standard_error);
  return {value, 2 * error / t2.mean};
}

// 1 - t3 / t2: t2 stands in both parts of (t2 - t3) / t2, so its errors partly cancel.
Share FetchShareOf(const BlockSpread& t2, const BlockSpread& t3) {
  const double ratio = t3.mean / t2.mean;
  const double error = std::hypot(t3.standard_error, ratio * t2.standard_error);
  return {1 - ratio, 2 * error / t2.mean};
}

void SetShares(const Spreads& spreads, api::StallAnalysis& found) {
  const auto set = [](const Share& share, std::optional<double>& value,
                      std::optional<double>& noise) {
    value = share.value;
    noise = share.noise;
  };
  const auto& [t0, t1, t2, t3, again] = spreads;
  set(ShareOf(t0, {}, t2), found.compute_share, found.compute_noise);
  set(ShareOf(t1, t0, t2), found.copy_share, found.copy_noise);
  set(ShareOf(t3, t1, t2), found.preparation_share, found.preparation_noise);
  set(FetchShareOf(t2, t3), found.fetch_share, found.fetch_noise);
}

std::string WhyUnsteady(const StallPhases& phases, const Spreads& spreads) {
  if (phases.invalid) return *phases.invalid;
  const double off = spreads.t1_again.mean / spreads.t1.mean - 1;
  if (std::abs(off) <= kSteadyRatio) return "";
  return "the second t1 differs from the first by " + std::to_string(std::lround(100 * off)) + " %";
}

size_t FewestSteps(const StallPhases& phases) {
  return std::min({phases.t0.size(), phases.t1.size(), phases.t2.size(), phases.t3.size(),
                   phases.t1_again.size()});
}

}  // namespace

api::StallAnalysis AnalyseStalls(const StallPhases& phases) {
  api::StallAnalysis found;
  const size_t fewest = FewestSteps(phases);
  const auto spreads = SpreadsOf(phases);
  if (!spreads) {
    found.state = api::StallState::kFailed;
    found.reason = phases.invalid.value_or("only " + std::to_string(fewest) +
                                           " steps in a phase; 20 are the least");
    return found;
  }
  found.t0 = spreads->t0.mean;
  found.t1 = spreads->t1.mean;
  found.t2 = spreads->t2.mean;
  found.t3 = spreads->t3.mean;
  found.t1_again = spreads->t1_again.mean;
  if (!phases.invalid) SetShares(*spreads, found);
  const std::string why = WhyUnsteady(phases, *spreads);
  found.state = why.empty() ? api::StallState::kMeasured : api::StallState::kUnsteady;
  std::string reason = why;
  if (static_cast<int64_t>(fewest) < kStallSteps) {
    reason += (reason.empty() ? "" : "; ") + std::to_string(fewest) + " steps a phase";
  }
  if (!reason.empty()) found.reason = reason;
  return found;
}

}  // namespace fairlap::measure

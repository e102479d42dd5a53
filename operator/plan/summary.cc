#include "operator/plan/summary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/number.h"
#include "lib/stats/summary.h"
#include "operator/plan/text.h"

namespace fairlap::plan {
namespace {

using Repeats = std::vector<const api::RepeatStatus*>;
using Figure = std::optional<double> api::RepeatFigures::*;

Repeats CountedWith(const api::RunStatus& status, api::Outcome outcome) {
  Repeats repeats;
  for (const api::RepeatStatus& repeat : status.repeats) {
    if (!repeat.warmup && repeat.outcome == outcome) repeats.push_back(&repeat);
  }
  return repeats;
}

class Summariser {
 public:
  explicit Summariser(const api::RunStatus& status)
      : succeeded_(CountedWith(status, api::Outcome::kSucceeded)),
        failed_(CountedWith(status, api::Outcome::kFailed)),
        interrupted_(CountedWith(status, api::Outcome::kInterrupted)),
        not_started_(CountedWith(status, api::Outcome::kNotStarted)) {}

  bool Empty() const {
    return succeeded_.empty() && failed_.empty() && interrupted_.empty() && not_started_.empty();
  }

  std::optional<stats::Summary> Metric(Figure figure, stats::Better better) const {
    const std::vector<double> values = Values(figure);
    if (values.empty()) return std::nullopt;
    return stats::Summarise(values, Failed(), better);
  }

  stats::Summary Rate() const {
    return stats::Summarise(Values(&api::RepeatFigures::samples_per_second), Failed(),
                            stats::Better::kHigher);
  }

  std::vector<std::string> Flags() const {
    std::vector<std::string> flags;
    Flag("interrupted", Names(interrupted_), flags);
    Flag("never started", Names(not_started_), flags);
    Flag("figures lost", Where([](const api::RepeatStatus& r) { return !r.figures; }), flags);
    FlagFigures("short window", HasWindow(api::WindowState::kShort), flags);
    FlagFigures("empty window, so no rate", HasWindow(api::WindowState::kEmpty), flags);
    FlagFigures(
        "window crosses epochs", [](const api::RepeatFigures& f) { return f.crosses_epochs; },
        flags);
    Flag("unsteady: 10-block coefficient of variation above 5 %", Unsteady(), flags);
    FlagFigures(
        "unsteady stall analysis",
        [](const api::RepeatFigures& f) {
          return f.stall_analysis.state == api::StallState::kUnsteady;
        },
        flags);
    FlagFigures(
        "state of the page cache unverified",
        [](const api::RepeatFigures& f) {
          return f.cache_state == api::CacheState::kUnverified && f.cache_state_reason;
        },
        flags);
    FlagFigures(
        "bad files skipped", [](const api::RepeatFigures& f) { return f.bad_files > 0; }, flags);
    return flags;
  }

 private:
  using Predicate = std::function<bool(const api::RepeatFigures&)>;

  int64_t Failed() const { return static_cast<int64_t>(failed_.size()); }

  std::vector<double> Values(Figure figure) const {
    std::vector<double> values;
    for (const api::RepeatStatus* repeat : succeeded_) {
      if (!repeat->figures) continue;
      const auto& value = (*repeat->figures).*figure;
      if (value && std::isfinite(*value)) values.push_back(*value);
    }
    return values;
  }

  static std::vector<std::string> Names(const Repeats& repeats) {
    std::vector<std::string> names;
    for (const api::RepeatStatus* repeat : repeats) names.push_back(repeat->name);
    return names;
  }

  std::vector<std::string> Where(
      const std::function<bool(const api::RepeatStatus&)>& predicate) const {
    std::vector<std::string> names;
    for (const api::RepeatStatus* repeat : succeeded_) {
      if (predicate(*repeat)) names.push_back(repeat->name);
    }
    return names;
  }

  static Predicate HasWindow(api::WindowState state) {
    return [state](const api::RepeatFigures& figures) { return figures.window_state == state; };
  }

  std::vector<std::string> Unsteady() const {
    std::vector<std::string> entries;
    for (const api::RepeatStatus* repeat : succeeded_) {
      if (!repeat->figures) continue;
      const double variation = repeat->figures->step_seconds_block_variation.value_or(0);
      if (variation <= api::kSteadyBlockVariation) continue;
      entries.push_back(repeat->name + " (" + base::FormatNumber(100 * variation) + " %)");
    }
    return entries;
  }

  static void Flag(const std::string& what, const std::vector<std::string>& repeats,
                   std::vector<std::string>& flags) {
    if (repeats.empty()) return;
    flags.push_back(Cut(what + ": repeat " + Join(repeats), kMaxFlagBytes));
  }

  void FlagFigures(const std::string& what, const Predicate& predicate,
                   std::vector<std::string>& flags) const {
    Flag(what,
         Where([&](const api::RepeatStatus& r) { return r.figures && predicate(*r.figures); }),
         flags);
  }

  Repeats succeeded_, failed_, interrupted_, not_started_;
};

}  // namespace

std::optional<api::RunSummary> MakeSummary(const api::ComputeSpec& compute,
                                           const api::RunStatus& status) {
  using api::RepeatFigures;
  using stats::Better;
  const Summariser summariser(status);
  if (summariser.Empty()) return std::nullopt;
  const auto lower = [&](Figure figure) { return summariser.Metric(figure, Better::kLower); };
  api::RunSummary summary;
  summary.samples_per_second = summariser.Rate();
  summary.time_to_first_result_seconds = lower(&RepeatFigures::time_to_first_result_seconds);
  summary.time_to_results_seconds = lower(&RepeatFigures::time_to_results_seconds);
  summary.time_to_accuracy_seconds = lower(&RepeatFigures::time_to_accuracy_seconds);
  summary.data_stall_ratio = lower(&RepeatFigures::data_stall_ratio);
  summary.top1 = summariser.Metric(&RepeatFigures::top1, Better::kHigher);
  summary.psnr_decibels = summariser.Metric(&RepeatFigures::psnr_decibels, Better::kHigher);
  summary.final_loss = lower(&RepeatFigures::final_loss);
  summary.cost = lower(&RepeatFigures::cost);
  summary.flags = summariser.Flags();
  if (compute.price_per_hour) {
    summary.flags.push_back("cost: of whole nodes, their requested share is unknown; compute only");
  }
  return summary;
}

}  // namespace fairlap::plan

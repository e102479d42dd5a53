#include "worker/measure/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>

#include "lib/stats/blocks.h"
#include "lib/stats/quantiles.h"

namespace fairlap::measure {
namespace {

constexpr double kMaxFillChange = 0.005;  // of the window's steps

double SumOver(const Window& window, const std::vector<double>& values) {
  double sum = 0;
  for (const size_t step : window.steps) sum += values[step];
  return sum;
}

// Batches that the window took out of the queue without their having been prepared inside it (or
// the other way round): fill at its start less fill at its end, added up over its unbroken
// stretches.
int64_t FillChange(const StepLog& log, const Window& window) {
  int64_t change = 0;
  for (size_t i = 0; i < window.steps.size(); ++i) {
    const size_t step = window.steps[i];
    const bool starts = i == 0 || window.steps[i - 1] + 1 != step;
    const bool ends = i + 1 == window.steps.size() || window.steps[i + 1] != step + 1;
    if (starts) change += log.ready_batches[step];
    if (ends) change -= log.ready_batches[step];
  }
  return std::abs(change);
}

api::WindowState StateOf(const StepLog& log, const Window& window) {
  if (window.steps.empty()) return api::WindowState::kEmpty;
  const double allowed = kMaxFillChange * static_cast<double>(window.steps.size());
  return static_cast<double>(FillChange(log, window)) > allowed ? api::WindowState::kShort
                                                                : api::WindowState::kOk;
}

void AddStepTimes(const StepLog& log, const Window& window, api::RepeatFigures& figures) {
  const std::vector<double> seconds = StepSeconds(log, window);
  figures.step_seconds_p50 = stats::Quantile(seconds, 0.50);
  figures.step_seconds_p95 = stats::Quantile(seconds, 0.95);
  figures.step_seconds_p99 = stats::Quantile(seconds, 0.99);
  figures.step_seconds_jitter = stats::ScaledMedianAbsoluteDeviation(seconds);
  if (const auto spread = stats::SpreadOfBlocks(seconds)) {
    figures.step_seconds_block_error = spread->standard_error;
    figures.step_seconds_block_variation = spread->variation;
  }
}

void AddStalls(const StepLog& log, const Window& window, api::RepeatFigures& figures) {
  if (!figures.window_seconds) return;
  double stall = 0, ready = 0;
  for (const size_t step : window.steps) {
    stall += StallSeconds(log.series.wait_seconds[step], log.series.copy_seconds[step], log.on_gpu);
    ready += static_cast<double>(log.ready_batches[step]);
  }
  figures.queue_depth = ready / static_cast<double>(window.steps.size());
  figures.data_stall_ratio = StallRatio(stall, *figures.window_seconds);
  if (figures.data_stall_ratio) figures.input_ready_ratio = 1 - *figures.data_stall_ratio;
}

void AddThroughput(const StepLog& log, const Window& window, api::RepeatFigures& figures) {
  figures.window_state = StateOf(log, window);
  figures.window_steps = static_cast<int64_t>(window.steps.size());
  if (window.steps.empty()) return;
  for (const size_t step : window.steps) figures.window_samples += log.series.samples[step];
  const double wall = SumOver(window, log.series.wall_seconds);
  figures.window_seconds = wall;
  if (wall > 0) figures.samples_per_second = static_cast<double>(figures.window_samples) / wall;
  figures.crosses_epochs = log.epochs[window.steps.front()] != log.epochs[window.steps.back()];
}

}  // namespace

WindowSelector::WindowSelector(const WindowRule& rule)
    : discard_(api::DiscardedSteps(rule.prefetch_batches)),
      counts_from_(rule.warmup_steps + discard_) {}

bool WindowSelector::Counts(bool after_pause) {
  const int64_t step = next_++;
  if (after_pause) counts_from_ = std::max(counts_from_, step + discard_);
  return step >= counts_from_;
}

Window SelectWindow(const StepLog& log, const WindowRule& rule) {
  Window window;
  WindowSelector selector(rule);
  const size_t count = log.after_pause.size();
  for (size_t step = 0; step < count; ++step) {
    if (selector.Counts(log.after_pause[step])) {
      window.steps.push_back(step);
    } else if (!window.steps.empty()) {
      window.discarded.push_back(static_cast<int64_t>(step));
    }
  }
  window.begin = static_cast<int64_t>(window.steps.empty() ? count : window.steps.front());
  return window;
}

report::StepSeries WithWindow(report::StepSeries series, const Window& window) {
  series.window_begin = window.begin;
  series.discarded = window.discarded;
  return series;
}

report::WallPartition PartitionWall(const report::StepSeries& series, const Window& window) {
  report::WallPartition partition;
  partition.wall_seconds = SumOver(window, series.wall_seconds);
  partition.wait_seconds = SumOver(window, series.wait_seconds);
  partition.exposed_copy_seconds = SumOver(window, series.copy_seconds);
  partition.compute_seconds =
      SumOver(window, series.forward_seconds) + SumOver(window, series.backward_seconds) +
      SumOver(window, series.update_seconds) + SumOver(window, series.compute_seconds);
  partition.other_seconds = partition.wall_seconds - partition.wait_seconds -
                            partition.exposed_copy_seconds - partition.compute_seconds;
  return partition;
}

api::StageSeconds WindowStageSeconds(const StepLog& log, const Window& window) {
  api::StageSeconds stages;
  if (window.steps.empty()) return stages;
  stages.wait = SumOver(window, log.series.wait_seconds);
  stages.copy = SumOver(window, log.series.copy_seconds);
  stages.forward = SumOver(window, log.series.forward_seconds);
  stages.backward = SumOver(window, log.series.backward_seconds);
  stages.update = SumOver(window, log.series.update_seconds);
  const double compute = SumOver(window, log.series.compute_seconds);
  if (compute > 0) stages.compute = compute;
  InputSeconds input;
  for (const size_t step : window.steps) {
    const InputSeconds before = step == 0 ? InputSeconds{} : log.input[step - 1];
    input.read += log.input[step].read - before.read;
    input.decode += log.input[step].decode - before.decode;
    input.transform += log.input[step].transform - before.transform;
  }
  stages.read = input.read;
  stages.decode = input.decode;
  stages.transform = input.transform;
  return stages;
}

std::vector<double> StepSeconds(const StepLog& log, const Window& window) {
  std::vector<double> seconds;
  seconds.reserve(window.steps.size());
  for (const size_t step : window.steps) seconds.push_back(log.series.wall_seconds[step]);
  return seconds;
}

api::RepeatFigures MakeFigures(const StepLog& log, const Window& window) {
  api::RepeatFigures figures;
  const report::StepSeries& series = log.series;
  figures.steps = static_cast<int64_t>(series.wall_seconds.size());
  figures.samples = std::accumulate(series.samples.begin(), series.samples.end(), int64_t{0});
  if (!series.loss.empty()) {
    figures.first_loss = series.loss.front();
    figures.final_loss = series.loss.back();
  }
  AddThroughput(log, window, figures);
  AddStepTimes(log, window, figures);
  AddStalls(log, window, figures);
  return figures;
}

std::optional<bool> LossFell(const std::vector<double>& loss) {
  if (loss.size() < 2) return std::nullopt;
  const auto tenth = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(loss.size() / 10));
  const double first = std::accumulate(loss.begin(), loss.begin() + tenth, 0.0);
  const double last = std::accumulate(loss.end() - tenth, loss.end(), 0.0);
  return last < first;
}

double StallSeconds(double wait_seconds, double copy_seconds, bool on_gpu) {
  return on_gpu ? wait_seconds + copy_seconds : wait_seconds;
}

std::optional<double> StallRatio(double stall_seconds, double wall_seconds) {
  if (wall_seconds <= 0) return std::nullopt;
  return stall_seconds / wall_seconds;
}

}  // namespace fairlap::measure

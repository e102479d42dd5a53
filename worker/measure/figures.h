// From the step series of a repeat to its figures. Pure; every definition is docs/measurement.md's,
// "Throughput of one repeat" and "Stalls", and is implemented here and nowhere else.
#ifndef FAIRLAP_WORKER_MEASURE_FIGURES_H_
#define FAIRLAP_WORKER_MEASURE_FIGURES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/api/figures.h"
#include "lib/report/report.h"

namespace fairlap::measure {

// Thread-busy seconds of the input threads, since the start.
struct InputSeconds {
  double read = 0, decode = 0, transform = 0;
};

// All steps so far, one entry a step in each list. `series` carries no window: see WithWindow.
struct StepLog {
  report::StepSeries series;
  std::vector<int64_t> epochs;    // 0-based
  std::vector<bool> after_pause;  // the first step after the start, an evaluation, a checkpoint
  std::vector<int64_t> ready_batches;  // the queue's fill when the step took its batch
  std::vector<InputSeconds> input;     // as known when the step ended
  std::vector<double> all_reduce_seconds;
  bool on_gpu = false;  // see StallSeconds
};

struct WindowRule {
  int64_t warmup_steps = 0;
  int64_t prefetch_batches = 1;
};

// Decides step by step, in order, which steps count: those after the warm-up, less the 2 x
// (prefetch_batches + 1) steps that follow the warm-up and every pause, whose batches were ready
// for free.
class WindowSelector {
 public:
  explicit WindowSelector(const WindowRule& rule);
  bool Counts(bool after_pause);  // call once for every step

 private:
  const int64_t discard_;
  int64_t next_ = 0;
  int64_t counts_from_;
};

struct Window {
  std::vector<size_t> steps;       // that count, ascending
  int64_t begin = 0;               // the first of them; the number of steps if there is none
  std::vector<int64_t> discarded;  // steps after `begin` that do not count
};

Window SelectWindow(const StepLog& log, const WindowRule& rule);

// The series as the report holds it.
report::StepSeries WithWindow(report::StepSeries series, const Window& window);

// Sums to the window's wall time exactly: `other` is what the stages leave over.
report::WallPartition PartitionWall(const report::StepSeries& series, const Window& window);

// Stage seconds inside the window; absent without a window.
api::StageSeconds WindowStageSeconds(const StepLog& log, const Window& window);

// Wall seconds of each step of the window.
std::vector<double> StepSeconds(const StepLog& log, const Window& window);

// Throughput, step times, stalls, and what was computed: steps, samples, first and final loss. What
// the steps do not tell (accuracies, bytes, whole-repeat stages, times) is left absent.
api::RepeatFigures MakeFigures(const StepLog& log, const Window& window);

// Whether training learned anything: the mean loss of the last tenth of the steps lies below that
// of the first tenth. nullopt with fewer than two steps.
std::optional<bool> LossFell(const std::vector<double>& loss);

// The part of a step in which training stood still for its input. On a GPU the copy belongs to it,
// and both are already cut to the gap in which the device had nothing to do; on a CPU a batch is
// used where it lies.
double StallSeconds(double wait_seconds, double copy_seconds, bool on_gpu);

// stall / wall; nullopt without wall time.
std::optional<double> StallRatio(double stall_seconds, double wall_seconds);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_FIGURES_H_

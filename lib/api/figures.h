// The figures of one repeat: what the worker sums up, the termination message carries, the status
// holds and the report repeats. Definitions: docs/measurement.md. An absent figure was not
// observed.
#ifndef FAIRLAP_LIB_API_FIGURES_H_
#define FAIRLAP_LIB_API_FIGURES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/spec.h"

namespace fairlap::api {

// The first steps after the warm-up and after every pause take batches that were made ready
// meanwhile, so the window leaves them out.
constexpr int64_t DiscardedSteps(int64_t prefetch_batches) { return 2 * (prefetch_batches + 1); }

// A repeat is unsteady where the means of its 10 blocks of steps vary by more (coefficient of
// variation).
inline constexpr double kSteadyBlockVariation = 0.05;

enum class Outcome { kPending, kRunning, kSucceeded, kFailed, kInterrupted, kNotStarted };
enum class WindowState { kOk, kShort, kEmpty };
enum class CacheState { kUnverified, kCold, kWarm, kAsIs };
enum class StallState { kNotMeasured, kMeasured, kUnsteady, kFailed };
enum class Bottleneck {
  kNotMeasured,
  kCompute,
  kCommunicate,
  kCopy,
  kRead,
  kDecode,
  kTransform,
  kUnsteady,
};

// Moments of one repeat, RFC 3339 in UTC; a mark not observed is absent.
struct ClockMarks {
  std::optional<std::string> job_created, admitted, scheduled, image_ready, container_started,
      staging_done, cache_prepared, data_indexed, model_ready, first_batch, first_step,
      first_evaluation, target_reached, finished;

  template <class V>
  static void Describe(V& v) {
    constexpr base::Bounds time = Text(20, 27);
    v(&ClockMarks::job_created, "jobCreated", time);
    v(&ClockMarks::admitted, "admitted", time);
    v(&ClockMarks::scheduled, "scheduled", time);
    v(&ClockMarks::image_ready, "imageReady", time);
    v(&ClockMarks::container_started, "containerStarted", time);
    v(&ClockMarks::staging_done, "stagingDone", time);
    v(&ClockMarks::cache_prepared, "cachePrepared", time);
    v(&ClockMarks::data_indexed, "dataIndexed", time);
    v(&ClockMarks::model_ready, "modelReady", time);
    v(&ClockMarks::first_batch, "firstBatch", time);
    v(&ClockMarks::first_step, "firstStep", time);
    v(&ClockMarks::first_evaluation, "firstEvaluation", time);
    v(&ClockMarks::target_reached, "targetReached", time);
    v(&ClockMarks::finished, "finished", time);
  }
};

// Thread-busy seconds of each stage over the whole repeat; the input stages run in several threads,
// so a stage may exceed wall time. stage_in and cache_prepare are wall time.
struct StageSeconds {
  std::optional<double> read, decode, transform, wait, copy, forward, backward, update;
  std::optional<double> compute;  // of steps replayed from a CUDA graph: the three cannot be told
  std::optional<double> all_reduce, evaluate, stage_in, cache_prepare;

  template <class V>
  static void Describe(V& v) {
    v(&StageSeconds::read, "read", Plain());
    v(&StageSeconds::decode, "decode", Plain());
    v(&StageSeconds::transform, "transform", Plain());
    v(&StageSeconds::wait, "wait", Plain());
    v(&StageSeconds::copy, "copy", Plain());
    v(&StageSeconds::forward, "forward", Plain());
    v(&StageSeconds::backward, "backward", Plain());
    v(&StageSeconds::update, "update", Plain());
    v(&StageSeconds::compute, "compute", Plain());
    v(&StageSeconds::all_reduce, "allReduce", Plain());
    v(&StageSeconds::evaluate, "evaluate", Plain());
    v(&StageSeconds::stage_in, "stageIn", Plain());
    v(&StageSeconds::cache_prepare, "cachePrepare", Plain());
  }
};

// Seconds per step of the phases t0..t3 and the shares of t2, after the counted window.
struct StallAnalysis {
  StallState state = StallState::kNotMeasured;
  std::optional<double> t0, t1, t2, t3, t1_again;
  std::optional<double> compute_share, copy_share, preparation_share, fetch_share;
  std::optional<double> compute_noise, copy_noise, preparation_noise, fetch_noise;  // 2 SE
  std::optional<std::string> reason;

  template <class V>
  static void Describe(V& v) {
    v(&StallAnalysis::state, "state", Plain());
    v(&StallAnalysis::t0, "t0", Plain());
    v(&StallAnalysis::t1, "t1", Plain());
    v(&StallAnalysis::t2, "t2", Plain());
    v(&StallAnalysis::t3, "t3", Plain());
    v(&StallAnalysis::t1_again, "t1Again", Plain());
    v(&StallAnalysis::compute_share, "computeShare", Plain());
    v(&StallAnalysis::copy_share, "copyShare", Plain());
    v(&StallAnalysis::preparation_share, "preparationShare", Plain());
    v(&StallAnalysis::fetch_share, "fetchShare", Plain());
    v(&StallAnalysis::compute_noise, "computeNoise", Plain());
    v(&StallAnalysis::copy_noise, "copyNoise", Plain());
    v(&StallAnalysis::preparation_noise, "preparationNoise", Plain());
    v(&StallAnalysis::fetch_noise, "fetchNoise", Plain());
    v(&StallAnalysis::reason, "reason", Text(0, 256));
  }
};

struct RepeatFigures {
  // Throughput of the window.
  std::optional<double> samples_per_second;
  WindowState window_state = WindowState::kEmpty;
  bool crosses_epochs = false;
  int64_t window_steps = 0;
  int64_t window_samples = 0;
  std::optional<double> window_seconds;
  std::optional<double> step_seconds_p50, step_seconds_p95, step_seconds_p99;
  std::optional<double> step_seconds_jitter;           // 1.4826 x median absolute deviation
  std::optional<double> step_seconds_block_error;      // standard error from 10 blocks
  std::optional<double> step_seconds_block_variation;  // coefficient of variation of the 10 blocks
  // Stalls.
  std::optional<double> data_stall_ratio, input_ready_ratio, accelerator_utilization_ratio;
  Bottleneck bottleneck = Bottleneck::kNotMeasured;
  // Why, and of the window what led to it: see measure::JudgeBottleneck.
  std::optional<std::string> bottleneck_reason;
  std::optional<double> input_stall_share, exposed_copy_share, input_threads_busy_ratio;
  std::optional<double> queue_depth;  // mean of the finished batches waiting as a step took its own
  CacheState cache_state = CacheState::kUnverified;
  std::optional<std::string> cache_state_reason;  // what shows it, or what is missing
  StallAnalysis stall_analysis;
  // Time, from the marks; staging included, queueing and cache preparation not.
  std::optional<double> time_to_first_result_seconds;
  std::optional<double> time_to_results_seconds;
  std::optional<double> time_to_accuracy_seconds;
  // What was computed.
  int64_t steps = 0;
  int64_t samples = 0;
  int64_t epochs = 0;  // completed
  int64_t bad_files = 0;
  std::optional<double> first_loss, final_loss;
  // Of the last evaluation. input_psnr_decibels: of the noisy images, what denoising starts from.
  std::optional<double> top1, top5, psnr_decibels, input_psnr_decibels, validation_loss;
  StageSeconds stage_seconds;
  std::optional<int64_t> read_bytes_requested, read_bytes_fetched;
  std::optional<double> cost;

  template <class V>
  static void Describe(V& v) {
    constexpr base::Bounds count = Integer(0, kMaxSafeInteger);
    v(&RepeatFigures::samples_per_second, "samplesPerSecond", Plain());
    v(&RepeatFigures::window_state, "windowState", Plain());
    v(&RepeatFigures::crosses_epochs, "crossesEpochs", Plain());
    v(&RepeatFigures::window_steps, "windowSteps", count);
    v(&RepeatFigures::window_samples, "windowSamples", count);
    v(&RepeatFigures::window_seconds, "windowSeconds", Plain());
    v(&RepeatFigures::step_seconds_p50, "stepSecondsP50", Plain());
    v(&RepeatFigures::step_seconds_p95, "stepSecondsP95", Plain());
    v(&RepeatFigures::step_seconds_p99, "stepSecondsP99", Plain());
    v(&RepeatFigures::step_seconds_jitter, "stepSecondsJitter", Plain());
    v(&RepeatFigures::step_seconds_block_error, "stepSecondsBlockError", Plain());
    v(&RepeatFigures::step_seconds_block_variation, "stepSecondsBlockVariation", Plain());
    v(&RepeatFigures::data_stall_ratio, "dataStallRatio", Plain());
    v(&RepeatFigures::input_ready_ratio, "inputReadyRatio", Plain());
    v(&RepeatFigures::accelerator_utilization_ratio, "acceleratorUtilizationRatio", Plain());
    v(&RepeatFigures::bottleneck, "bottleneck", Plain());
    v(&RepeatFigures::bottleneck_reason, "bottleneckReason", Text(0, 256));
    v(&RepeatFigures::input_stall_share, "inputStallShare", Plain());
    v(&RepeatFigures::exposed_copy_share, "exposedCopyShare", Plain());
    v(&RepeatFigures::input_threads_busy_ratio, "inputThreadsBusyRatio", Plain());
    v(&RepeatFigures::queue_depth, "queueDepth", Plain());
    v(&RepeatFigures::cache_state, "cacheState", Plain());
    v(&RepeatFigures::cache_state_reason, "cacheStateReason", Text(0, 256));
    v(&RepeatFigures::stall_analysis, "stallAnalysis", Plain());
    v(&RepeatFigures::time_to_first_result_seconds, "timeToFirstResultSeconds", Plain());
    v(&RepeatFigures::time_to_results_seconds, "timeToResultsSeconds", Plain());
    v(&RepeatFigures::time_to_accuracy_seconds, "timeToAccuracySeconds", Plain());
    v(&RepeatFigures::steps, "steps", count);
    v(&RepeatFigures::samples, "samples", count);
    v(&RepeatFigures::epochs, "epochs", count);
    v(&RepeatFigures::bad_files, "badFiles", count);
    v(&RepeatFigures::first_loss, "firstLoss", Plain());
    v(&RepeatFigures::final_loss, "finalLoss", Plain());
    v(&RepeatFigures::top1, "top1", Plain());
    v(&RepeatFigures::top5, "top5", Plain());
    v(&RepeatFigures::psnr_decibels, "psnrDecibels", Plain());
    v(&RepeatFigures::input_psnr_decibels, "inputPsnrDecibels", Plain());
    v(&RepeatFigures::validation_loss, "validationLoss", Plain());
    v(&RepeatFigures::stage_seconds, "stageSeconds", Plain());
    v(&RepeatFigures::read_bytes_requested, "readBytesRequested", count);
    v(&RepeatFigures::read_bytes_fetched, "readBytesFetched", count);
    v(&RepeatFigures::cost, "cost", Plain());
  }
};

// What a worker leaves in its termination message (at most 4096 bytes of compact JSON) and at the
// head of its report.
inline constexpr int64_t kReportSchemaVersion = 1;
inline constexpr int64_t kTerminationMessageMaxBytes = 4096;
struct WorkerSummary {
  int64_t schema_version = kReportSchemaVersion;
  Outcome outcome = Outcome::kFailed;  // succeeded, failed or interrupted
  std::string reason;                  // CamelCase, "" when it succeeded
  std::string message;                 // for a person; cut to what fits
  int64_t seed = 0;
  ClockMarks marks;
  RepeatFigures figures;

  template <class V>
  static void Describe(V& v) {
    v(&WorkerSummary::schema_version, "schemaVersion", Integer(1, 1'000'000));
    v(&WorkerSummary::outcome, "outcome", Plain());
    v(&WorkerSummary::reason, "reason", Text(0, 64).Default());
    v(&WorkerSummary::message, "message", Text(0, 1024).Default());
    v(&WorkerSummary::seed, "seed", Integer(0, kMaxSafeInteger));
    v(&WorkerSummary::marks, "marks", Plain());
    v(&WorkerSummary::figures, "figures", Plain());
  }
};

// What the worker serves at /v1/progress while it lives, beside its newest epochs
// (report::WorkerProgress), and what the status repeats.
struct Progress {
  // starting | staging | indexing | preparingCache | training | evaluating | finishing
  std::string phase;
  int64_t step = 0;
  int64_t epoch = 0;                         // 0-based, the one being trained
  std::optional<int64_t> total_steps;        // absent where the stop rule does not tell (accuracy)
  std::optional<double> percent;             // of this repeat, by the stop rule's upper bound
  std::optional<double> samples_per_second;  // over the last few seconds
  std::optional<double> eta_seconds;
  std::optional<double> loss;
  std::optional<double> top1, psnr_decibels, input_psnr_decibels;  // of the last evaluation
  Bottleneck bottleneck = Bottleneck::kNotMeasured;  // of the newest steps of the window
  std::optional<std::string> bottleneck_reason;
  StageSeconds stage_seconds;

  template <class V>
  static void Describe(V& v) {
    constexpr base::Bounds count = Integer(0, kMaxSafeInteger);
    v(&Progress::phase, "phase", Text(0, 32));
    v(&Progress::step, "step", count);
    v(&Progress::epoch, "epoch", count);
    v(&Progress::total_steps, "totalSteps", count);
    v(&Progress::percent, "percent", Plain());
    v(&Progress::samples_per_second, "samplesPerSecond", Plain());
    v(&Progress::eta_seconds, "etaSeconds", Plain());
    v(&Progress::loss, "loss", Plain());
    v(&Progress::top1, "top1", Plain());
    v(&Progress::psnr_decibels, "psnrDecibels", Plain());
    v(&Progress::input_psnr_decibels, "inputPsnrDecibels", Plain());
    v(&Progress::bottleneck, "bottleneck", Plain());
    v(&Progress::bottleneck_reason, "bottleneckReason", Text(0, 256));
    v(&Progress::stage_seconds, "stageSeconds", Plain());
  }
};

}  // namespace fairlap::api

namespace fairlap::base {
template <>
inline constexpr std::array kEnumNames<api::Outcome> = {
    "pending"sv, "running"sv, "succeeded"sv, "failed"sv, "interrupted"sv, "notStarted"sv};
template <>
inline constexpr std::array kEnumNames<api::WindowState> = {"ok"sv, "short"sv, "empty"sv};
template <>
inline constexpr std::array kEnumNames<api::CacheState> = {"unverified"sv, "cold"sv, "warm"sv,
                                                           "asIs"sv};
template <>
inline constexpr std::array kEnumNames<api::StallState> = {"notMeasured"sv, "measured"sv,
                                                           "unsteady"sv, "failed"sv};
template <>
inline constexpr std::array kEnumNames<api::Bottleneck> = {
    "notMeasured"sv, "compute"sv, "communicate"sv, "copy"sv,
    "read"sv,        "decode"sv,  "transform"sv,   "unsteady"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_FIGURES_H_

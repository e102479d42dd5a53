// Keeps what a repeat did so far, so that at any moment, interrupted or failed included, there is a
// complete report of it.
#ifndef FAIRLAP_WORKER_REPORT_RECORDER_H_
#define FAIRLAP_WORKER_REPORT_RECORDER_H_

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "lib/api/run_config.h"
#include "lib/base/clock.h"
#include "lib/report/report.h"
#include "worker/measure/bottleneck.h"
#include "worker/measure/figures.h"
#include "worker/report/live_metrics.h"
#include "worker/report/recent_steps.h"
#include "worker/train/observer.h"

namespace fairlap::report {

// How a repeat ended.
struct Ending {
  api::Outcome outcome = api::Outcome::kFailed;  // succeeded, failed or interrupted
  std::string reason;                            // CamelCase, "" when it succeeded
  std::string message;
};

// The training thread reports through the Observer interface; any thread may ask meanwhile. Feeds
// `metrics` with exactly what it keeps. Memory grows by some hundred bytes a step.
class Recorder final : public train::Observer {
 public:
  // Bytes that this process fetched from a device so far; nullopt where nobody tells.
  using ByteCounter = std::function<std::optional<int64_t>()>;

  // `clock` and `metrics` must outlive the recorder. `started`: when the container did.
  Recorder(const api::RunConfig& config, const base::Clock& clock, base::WallTime started,
           ByteCounter fetched_bytes, LiveMetrics& metrics);

  void OnPhase(train::Phase phase) override;
  void OnMark(train::Mark mark) override;
  void OnStep(const train::StepRecord& record) override;
  void OnEpochEnd(int64_t epoch) override;
  void OnEvaluation(const train::EvaluationRecord& record) override;
  void OnInput(const data::PipelineTotals& totals) override;
  void OnStaging(const StagingFacts& facts) override;
  void OnData(const DataFacts& facts) override;
  void OnCache(const train::CacheRecord& record) override;
  void OnModel(const ModelFacts& facts) override;
  void OnPlan(const train::TrainPlan& plan) override;
  void OnChecks(const Checks& checks) override;

  // The repeat is over and its report is written; only questions follow.
  void OnFinished();

  // Everything so far as the report of a repeat that ends now; the environment is left to the
  // caller.
  RankReport Snapshot(const Ending& ending) const;
  WorkerProgress Progress() const;

 private:
  // All with mutex_ held.
  void AppendToLog(const train::StepRecord& record);
  void AddToStages(const train::StepRecord& record);
  void AddToEpoch(const train::StepRecord& record);
  void FollowWindow(const train::StepRecord& record);
  void ReadFetchedBytes();
  std::optional<double> DoneRatio() const;
  std::optional<double> EtaSeconds() const;
  measure::BottleneckVerdict Bottleneck(const measure::Window& window) const;
  api::RepeatFigures Figures(const measure::Window& window) const;
  Checks AllChecks() const;
  api::Progress Now() const;

  const api::RunConfig config_;
  const measure::WindowRule window_rule_;
  const int64_t input_threads_;  // 0: no input pipeline
  const base::Clock& clock_;
  const ByteCounter count_fetched_bytes_;
  std::optional<int64_t> fetched_before_;  // what does not count
  LiveMetrics& metrics_;

  mutable std::mutex mutex_;
  std::string phase_;
  api::ClockMarks marks_;
  std::optional<base::SteadyTime> data_touched_, target_reached_;
  std::optional<StagingFacts> staging_;
  DataFacts data_;
  train::CacheRecord cache_;
  ModelFacts model_;
  std::optional<train::TrainPlan> plan_;
  Checks checks_;
  measure::StepLog log_;
  std::vector<EpochRow> epochs_;
  std::optional<EpochRow> epoch_;                      // the one being trained
  double epoch_loss_sum_ = 0;                          // over its samples
  std::optional<train::EvaluationRecord> evaluation_;  // the last one
  data::PipelineTotals input_;
  std::optional<int64_t> fetched_bytes_;
  api::StageSeconds stages_;
  double train_seconds_ = 0;
  measure::WindowSelector selector_;
  double window_stall_seconds_ = 0, window_wall_seconds_ = 0;
  measure::Window newest_;  // the newest steps of the window: what people watch is judged by them
  RecentSteps recent_;
};

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_RECORDER_H_

// A repeat in the lines that MLPerf's own tools read (mlperf-logging, ":::MLLOG {...}"). They make
// no MLPerf result. What is logged when, and where that departs from MLPerf's rules:
// docs/measurement.md, "MLPerf log lines".
#ifndef FAIRLAP_WORKER_REPORT_MLLOG_H_
#define FAIRLAP_WORKER_REPORT_MLLOG_H_

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

#include "lib/api/run_config.h"
#include "lib/base/clock.h"
#include "lib/base/json.h"
#include "worker/report/recorder.h"
#include "worker/train/observer.h"

namespace fairlap::report {

// Fed by the training thread; Stop may come from any.
class MlLog final : public train::Observer {
 public:
  // Gets each line with its end, in order, one at a time.
  using Sink = std::function<void(std::string_view line)>;

  // Logs the initialisation as begun at `started`, when the process was, and what the config tells.
  // `clock` must outlive it.
  MlLog(const api::RunConfig& config, base::WallTime started, const base::Clock& clock, Sink sink);

  void OnPhase(train::Phase phase) override;
  void OnMark(train::Mark) override {}
  void OnStep(const train::StepRecord& record) override;
  void OnEpochEnd(int64_t epoch) override;
  void OnEvaluation(const train::EvaluationRecord& record) override;
  void OnInput(const data::PipelineTotals&) override {}
  void OnData(const DataFacts& facts) override;
  void OnCache(const train::CacheRecord&) override {}
  void OnModel(const ModelFacts&) override {}
  void OnPlan(const train::TrainPlan&) override {}
  void OnChecks(const Checks&) override {}

  // run_stop, if the run has started: "success" for a repeat that succeeded, else "aborted".
  // Nothing is logged after it.
  void Stop(api::Outcome outcome);

 private:
  using Json = base::Json;
  // All with mutex_ held.
  void Write(std::string_view type, const char* key, Json value, base::WallTime time,
             Json metadata = Json::object(),
             const std::source_location& where = std::source_location::current());
  void WritePoint(const char* key, Json value, Json metadata = Json::object(),
                  const std::source_location& where = std::source_location::current());
  void LogConfig();
  void BeginRun();
  void BeginEpoch(int64_t epoch);

  const api::RunConfig config_;
  const base::Clock& clock_;
  const Sink sink_;
  std::mutex mutex_;
  bool running_ = false, stopped_ = false, data_told_ = false;
  std::optional<int64_t> epoch_;  // the one being trained
  int64_t last_epoch_ = 0;        // the one that ended last
  // When training went on: an epoch's start is known as one only with its first step.
  base::WallTime resumed_{};
  std::optional<base::WallTime> finishing_;
};

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_MLLOG_H_

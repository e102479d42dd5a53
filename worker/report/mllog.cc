#include "worker/report/mllog.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fairlap::report {
namespace {

using base::Json;

constexpr char kFile[] = "worker/report/mllog.cc";
constexpr char kStart[] = "INTERVAL_START", kEnd[] = "INTERVAL_END", kPoint[] = "POINT_IN_TIME";

int64_t Milliseconds(base::WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

int64_t GlobalBatchSize(const api::RunConfig& config) {
  const int64_t devices = std::max<int64_t>(1, config.gpus) * config.nodes;
  return config.problem.global_batch_size.value_or(config.problem.batch_size.value_or(0) * devices);
}

// MLPerf numbers epochs from 1.
Json EpochNumber(int64_t epoch) { return Json{{"epoch_num", epoch + 1}}; }

struct Quality {
  const char* name;
  std::optional<double> value;
};

// What the stop rule looks at, or else the first that the evaluation has.
Quality QualityOf(const api::StopSpec& stop, const train::EvaluationRecord& record) {
  if (stop.accuracy) {
    switch (stop.accuracy->metric) {
      case api::AccuracyMetric::kTop1: return {"top1", record.top1};
      case api::AccuracyMetric::kTop5: return {"top5", record.top5};
      case api::AccuracyMetric::kPsnr: return {"psnr", record.psnr_decibels};
      case api::AccuracyMetric::kLoss: return {"loss", record.loss};
    }
  }
  if (record.top1) return {"top1", record.top1};
  return {"psnr", record.psnr_decibels};
}

}  // namespace

MlLog::MlLog(const api::RunConfig& config, base::WallTime started, const base::Clock& clock,
             Sink sink)
    : config_(config), clock_(clock), sink_(std::move(sink)) {
  const std::lock_guard lock(mutex_);
  Write(kStart, "init_start", nullptr, started);
  LogConfig();
}

void MlLog::LogConfig() {
  const api::OptimizerSpec& optimizer = config_.problem.optimizer;
  WritePoint("seed", config_.seed);
  // The rules mean the system's caches; storage.cache cold evicts no more than the data set.
  WritePoint("cache_clear", false);
  WritePoint("global_batch_size", GlobalBatchSize(config_));
  WritePoint("opt_name", base::EnumName(optimizer.name));
  WritePoint("opt_base_learning_rate", optimizer.learning_rate.Value());
}

void MlLog::OnPhase(train::Phase phase) {
  const std::lock_guard lock(mutex_);
  const base::WallTime now = clock_.WallNow();
  switch (phase) {
    case train::Phase::kStarting:
    case train::Phase::kPreparingCache: break;
    case train::Phase::kStaging:
    case train::Phase::kIndexing: BeginRun(); break;
    case train::Phase::kTraining: resumed_ = now; break;
    case train::Phase::kEvaluating:
      Write(kStart, "eval_start", nullptr, now, EpochNumber(last_epoch_));
      break;
    case train::Phase::kFinishing: finishing_ = now; break;
  }
}

void MlLog::BeginRun() {
  if (std::exchange(running_, true)) return;
  Write(kEnd, "init_stop", nullptr, clock_.WallNow());
  Write(kStart, "run_start", nullptr, clock_.WallNow());
}

void MlLog::OnData(const DataFacts& facts) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(data_told_, true)) return;  // again at the end, for the bad files
  WritePoint("train_samples", facts.train_samples);
  WritePoint("eval_samples", facts.validation_samples);
}

void MlLog::OnStep(const train::StepRecord& record) {
  const std::lock_guard lock(mutex_);
  if (!epoch_) BeginEpoch(record.epoch);
}

void MlLog::BeginEpoch(int64_t epoch) {
  epoch_ = epoch;
  Write(kStart, "epoch_start", nullptr, resumed_, EpochNumber(epoch));
}

void MlLog::OnEpochEnd(int64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (!epoch_) BeginEpoch(epoch);  // every file of it was bad
  const base::WallTime now = clock_.WallNow();
  Write(kEnd, "epoch_stop", nullptr, now, EpochNumber(epoch));
  epoch_.reset();
  last_epoch_ = epoch;
  resumed_ = now;
}

void MlLog::OnEvaluation(const train::EvaluationRecord& record) {
  const std::lock_guard lock(mutex_);
  const Quality quality = QualityOf(config_.problem.stop, record);
  if (quality.value) {
    Json metadata = EpochNumber(record.epoch);
    metadata["metric"] = quality.name;
    WritePoint("eval_accuracy", *quality.value, std::move(metadata));
  }
  Write(kEnd, "eval_stop", nullptr, clock_.WallNow(), EpochNumber(record.epoch));
}

void MlLog::Stop(api::Outcome outcome) {
  const std::lock_guard lock(mutex_);
  const bool succeeded = outcome == api::Outcome::kSucceeded;
  if (running_) {
    Write(kEnd, "run_stop", nullptr, finishing_.value_or(clock_.WallNow()),
          Json{{"status", succeeded ? "success" : "aborted"}});
  }
  stopped_ = true;
}

void MlLog::WritePoint(const char* key, Json value, Json metadata,
                       const std::source_location& where) {
  Write(kPoint, key, std::move(value), clock_.WallNow(), std::move(metadata), where);
}

void MlLog::Write(std::string_view type, const char* key, Json value, base::WallTime time,
                  Json metadata, const std::source_location& where) {
  if (stopped_) return;
  Json origin{{"file", kFile}, {"lineno", where.line()}};
  origin.update(metadata);
  const Json line{{"namespace", ""},           {"time_ms", Milliseconds(time)},
                  {"event_type", type},        {"key", key},
                  {"value", std::move(value)}, {"metadata", std::move(origin)}};
  sink_(":::MLLOG " + line.dump() + "\n");
}

}  // namespace fairlap::report

#include "worker/report/recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/base/text.h"

namespace fairlap::report {
namespace {

// Ten blocks of ten, so that every block has some slow samples, if there are any.
constexpr size_t kNewestSteps = 100;
constexpr size_t kMaxReasonBytes = 256;  // of RepeatFigures::cache_state_reason

std::string PhaseName(train::Phase phase) {
  switch (phase) {
    case train::Phase::kStarting: return "starting";
    case train::Phase::kStaging: return "staging";
    case train::Phase::kIndexing: return "indexing";
    case train::Phase::kPreparingCache: return "preparingCache";
    case train::Phase::kTraining: return "training";
    case train::Phase::kEvaluating: return "evaluating";
    case train::Phase::kFinishing: return "finishing";
  }
  return "";
}

std::optional<std::string>& Slot(train::Mark mark, api::ClockMarks& marks) {
  switch (mark) {
    case train::Mark::kStagingDone: return marks.staging_done;
    case train::Mark::kCachePrepared: return marks.cache_prepared;
    case train::Mark::kDataIndexed: return marks.data_indexed;
    case train::Mark::kModelReady: return marks.model_ready;
    case train::Mark::kFirstBatch: return marks.first_batch;
    case train::Mark::kFirstStep: return marks.first_step;
    case train::Mark::kFirstEvaluation: return marks.first_evaluation;
    case train::Mark::kTargetReached: return marks.target_reached;
  }
  return marks.finished;
}

void Add(double seconds, std::optional<double>& total) { total = total.value_or(0) + seconds; }

measure::WindowRule RuleOf(const api::RunConfig& config) {
  return {config.problem.warmup_steps, config.software.input.prefetch_batches};
}

int64_t InputThreads(const api::RunConfig& config) {
  const bool synthetic = config.problem.dataset.format == api::DatasetFormat::kSynthetic;
  return synthetic ? 0 : config.software.input.threads;
}

}  // namespace

Recorder::Recorder(const api::RunConfig& config, const base::Clock& clock, base::WallTime started,
                   ByteCounter fetched_bytes, LiveMetrics& metrics)
    : config_(config),
      window_rule_(RuleOf(config)),
      input_threads_(InputThreads(config)),
      clock_(clock),
      count_fetched_bytes_(std::move(fetched_bytes)),
      fetched_before_(count_fetched_bytes_()),
      metrics_(metrics),
      phase_(PhaseName(train::Phase::kStarting)),
      selector_(window_rule_) {
  marks_.container_started = base::FormatTime(started);
  log_.on_gpu = config.device == api::Device::kGpu;
  if (input_threads_ > 0) metrics_.SetInputThreads(input_threads_);
}

void Recorder::OnPhase(train::Phase phase) {
  const std::lock_guard lock(mutex_);
  phase_ = PhaseName(phase);
  const bool touches = phase == train::Phase::kStaging || phase == train::Phase::kIndexing;
  if (touches && !data_touched_) data_touched_ = clock_.Now();
  ReadFetchedBytes();
}

void Recorder::OnMark(train::Mark mark) {
  const std::lock_guard lock(mutex_);
  Slot(mark, marks_) = base::FormatTime(clock_.WallNow());
  if (mark == train::Mark::kTargetReached) target_reached_ = clock_.Now();
  // What was fetched to copy or to warm the data set is no reading of training's.
  if (mark != train::Mark::kStagingDone && mark != train::Mark::kCachePrepared) return;
  const std::optional<int64_t> now = count_fetched_bytes_();
  if (now && fetched_before_) fetched_before_ = *now - fetched_bytes_.value_or(0);
}

void Recorder::OnStep(const train::StepRecord& record) {
  const std::lock_guard lock(mutex_);
  AppendToLog(record);
  AddToStages(record);
  AddToEpoch(record);
  metrics_.AddStep(record);
  if (input_threads_ > 0) metrics_.SetReadyBatches(record.ready_batches);
  train_seconds_ += record.wall_seconds;
  recent_.Add(record.wall_seconds, record.samples);
  if (const auto rate = recent_.SamplesPerSecond()) metrics_.SetSamplesPerSecond(*rate);
  if (const auto ratio = DoneRatio()) metrics_.SetProgressRatio(*ratio);
  FollowWindow(record);
}

void Recorder::AppendToLog(const train::StepRecord& record) {
  StepSeries& series = log_.series;
  series.wall_seconds.push_back(record.wall_seconds);
  series.wait_seconds.push_back(record.wait_seconds);
  series.copy_seconds.push_back(record.copy_seconds);
  series.forward_seconds.push_back(record.forward_seconds);
  series.backward_seconds.push_back(record.backward_seconds);
  series.update_seconds.push_back(record.update_seconds);
  series.compute_seconds.push_back(record.compute_seconds);
  series.loss.push_back(record.loss);
  series.samples.push_back(record.samples);
  log_.epochs.push_back(record.epoch);
  log_.after_pause.push_back(record.after_pause);
  log_.ready_batches.push_back(record.ready_batches);
  log_.input.push_back({input_.read_seconds, input_.decode_seconds, input_.transform_seconds});
  log_.all_reduce_seconds.push_back(record.all_reduce_seconds);
}

void Recorder::AddToStages(const train::StepRecord& record) {
  Add(record.wait_seconds, stages_.wait);
  Add(record.copy_seconds, stages_.copy);
  Add(record.forward_seconds, stages_.forward);
  Add(record.backward_seconds, stages_.backward);
  Add(record.update_seconds, stages_.update);
  if (record.compute_seconds > 0) Add(record.compute_seconds, stages_.compute);
  // A single device has no all-reduce, which is not the same as one that took no time.
  if (record.all_reduce_seconds > 0) Add(record.all_reduce_seconds, stages_.all_reduce);
}

void Recorder::AddToEpoch(const train::StepRecord& record) {
  if (!epoch_) {
    epoch_.emplace().epoch = record.epoch;
    epoch_loss_sum_ = 0;
  }
  epoch_->seconds += record.wall_seconds;
  epoch_->steps += 1;
  epoch_->samples += record.samples;
  epoch_->learning_rate = record.learning_rate;
  epoch_loss_sum_ += record.loss * static_cast<double>(record.samples);
}

void Recorder::FollowWindow(const train::StepRecord& record) {
  if (!selector_.Counts(record.after_pause)) return;
  newest_.steps.push_back(log_.after_pause.size() - 1);
  if (newest_.steps.size() > kNewestSteps) newest_.steps.erase(newest_.steps.begin());
  window_stall_seconds_ +=
      measure::StallSeconds(record.wait_seconds, record.copy_seconds, log_.on_gpu);
  window_wall_seconds_ += record.wall_seconds;
  const auto ratio = measure::StallRatio(window_stall_seconds_, window_wall_seconds_);
  if (ratio) metrics_.SetStallRatio(*ratio);
}

void Recorder::OnEpochEnd(int64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (!epoch_) epoch_.emplace().epoch = epoch;  // every file of it was bad
  if (epoch_->samples > 0) {
    epoch_->train_loss = epoch_loss_sum_ / static_cast<double>(epoch_->samples);
  }
  epochs_.push_back(*epoch_);
  epoch_.reset();
}

void Recorder::OnEvaluation(const train::EvaluationRecord& record) {
  const std::lock_guard lock(mutex_);
  evaluation_ = record;
  Add(record.seconds, stages_.evaluate);
  metrics_.AddEvaluation(record);
  const auto row = std::find_if(epochs_.begin(), epochs_.end(), [&](const EpochRow& candidate) {
    return candidate.epoch == record.epoch;
  });
  if (row == epochs_.end()) return;  // it followed a part of an epoch
  row->top1 = record.top1;
  row->top5 = record.top5;
  row->validation_loss = record.loss;
  row->psnr_decibels = record.psnr_decibels;
  row->input_psnr_decibels = record.input_psnr_decibels;
  row->evaluate_seconds = record.seconds;
}

void Recorder::OnInput(const data::PipelineTotals& totals) {
  const std::lock_guard lock(mutex_);
  input_ = totals;
  stages_.read = totals.read_seconds;
  stages_.decode = totals.decode_seconds;
  stages_.transform = totals.transform_seconds;
  ReadFetchedBytes();
}

void Recorder::ReadFetchedBytes() {
  const std::optional<int64_t> now = count_fetched_bytes_();
  if (now && fetched_before_) fetched_bytes_ = *now - *fetched_before_;
  metrics_.SetInput(input_, fetched_bytes_);
}

void Recorder::OnStaging(const StagingFacts& facts) {
  const std::lock_guard lock(mutex_);
  staging_ = facts;
  stages_.stage_in = facts.seconds;
  metrics_.SetStaging(facts);
}

void Recorder::OnData(const DataFacts& facts) {
  const std::lock_guard lock(mutex_);
  data_ = facts;
}

void Recorder::OnCache(const train::CacheRecord& record) {
  const std::lock_guard lock(mutex_);
  cache_ = record;
  stages_.cache_prepare = record.prepare_seconds;
  if (record.prepare_seconds) metrics_.SetCachePrepareSeconds(*record.prepare_seconds);
}

void Recorder::OnModel(const ModelFacts& facts) {
  const std::lock_guard lock(mutex_);
  model_ = facts;
}

void Recorder::OnPlan(const train::TrainPlan& plan) {
  const std::lock_guard lock(mutex_);
  plan_ = plan;
}

void Recorder::OnChecks(const Checks& checks) {
  const std::lock_guard lock(mutex_);
  checks_ = checks;
}

void Recorder::OnFinished() {
  const std::lock_guard lock(mutex_);
  phase_ = "finished";
}

RankReport Recorder::Snapshot(const Ending& ending) const {
  const std::lock_guard lock(mutex_);
  const measure::Window window = measure::SelectWindow(log_, window_rule_);
  RankReport report;
  report.config = config_;
  report.summary.outcome = ending.outcome;
  report.summary.reason = ending.reason;
  report.summary.message = ending.message;
  report.summary.seed = config_.seed;
  report.summary.marks = marks_;
  report.summary.marks.finished = base::FormatTime(clock_.WallNow());
  report.summary.figures = Figures(window);
  report.model = model_;
  report.data = data_;
  report.data.staging = staging_;
  report.window = measure::PartitionWall(log_.series, window);
  report.window_stage_seconds = measure::WindowStageSeconds(log_, window);
  report.checks = AllChecks();
  report.epochs = epochs_;
  report.steps = measure::WithWindow(log_.series, window);
  return report;
}

measure::BottleneckVerdict Recorder::Bottleneck(const measure::Window& window) const {
  return measure::JudgeBottleneck(measure::FactsOf(log_, window, input_threads_));
}

api::RepeatFigures Recorder::Figures(const measure::Window& window) const {
  api::RepeatFigures figures = measure::MakeFigures(log_, window);
  const measure::BottleneckVerdict verdict = Bottleneck(window);
  figures.bottleneck = verdict.bottleneck;
  figures.bottleneck_reason = verdict.reason;
  figures.input_stall_share = verdict.input_stall_share;
  figures.exposed_copy_share = verdict.exposed_copy_share;
  figures.input_threads_busy_ratio = verdict.input_threads_busy_ratio;
  if (input_threads_ == 0) figures.queue_depth.reset();
  figures.epochs = static_cast<int64_t>(epochs_.size());
  figures.bad_files = std::max(data_.bad_file_count, input_.bad_files);
  figures.stage_seconds = stages_;
  figures.cache_state = cache_.state;
  if (!cache_.reason.empty())
    figures.cache_state_reason = base::Cut(cache_.reason, kMaxReasonBytes);
  if (stages_.read) figures.read_bytes_requested = input_.bytes_requested;
  figures.read_bytes_fetched = fetched_bytes_;
  if (evaluation_) {
    figures.top1 = evaluation_->top1;
    figures.top5 = evaluation_->top5;
    figures.psnr_decibels = evaluation_->psnr_decibels;
    figures.input_psnr_decibels = evaluation_->input_psnr_decibels;
    figures.validation_loss = evaluation_->loss;
  }
  if (data_touched_ && target_reached_) {
    figures.time_to_accuracy_seconds = base::Seconds(*target_reached_ - *data_touched_).count() -
                                       stages_.cache_prepare.value_or(0);
  }
  return figures;
}

Checks Recorder::AllChecks() const {
  Checks checks = checks_;
  const std::vector<double>& loss = log_.series.loss;
  if (!loss.empty()) {
    checks.loss_finite =
        std::all_of(loss.begin(), loss.end(), [](double x) { return std::isfinite(x); });
  }
  checks.loss_fell = measure::LossFell(loss);
  if (model_.published_parameters) {
    checks.published_parameters = model_.parameters == *model_.published_parameters;
  }
  return checks;
}

std::optional<double> Recorder::DoneRatio() const {
  if (!plan_ || plan_->total_steps <= 0) return std::nullopt;
  const auto done = static_cast<double>(log_.series.wall_seconds.size());
  return std::min(1.0, done / static_cast<double>(plan_->total_steps));
}

std::optional<double> Recorder::EtaSeconds() const {
  const auto step_seconds = recent_.SecondsPerStep();
  if (!plan_ || plan_->total_steps <= 0 || !step_seconds) return std::nullopt;
  const auto done = static_cast<int64_t>(log_.series.wall_seconds.size());
  const auto left = static_cast<double>(std::max<int64_t>(0, plan_->total_steps - done));
  // Evaluations will go on taking the share of time that they took so far.
  const double pauses = train_seconds_ > 0 ? stages_.evaluate.value_or(0) / train_seconds_ : 0;
  return left * *step_seconds * (1 + pauses);
}

WorkerProgress Recorder::Progress() const {
  const std::lock_guard lock(mutex_);
  WorkerProgress progress{Now(), {}, staging_};
  const size_t count = std::min(epochs_.size(), kMaxProgressEpochs);
  progress.epochs.assign(epochs_.end() - static_cast<std::ptrdiff_t>(count), epochs_.end());
  return progress;
}

api::Progress Recorder::Now() const {
  api::Progress progress;
  progress.phase = phase_;
  progress.step = static_cast<int64_t>(log_.series.wall_seconds.size());
  progress.epoch = log_.epochs.empty() ? 0 : log_.epochs.back();
  if (plan_ && !config_.problem.stop.accuracy) progress.total_steps = plan_->total_steps;
  if (const auto ratio = DoneRatio()) progress.percent = 100 * *ratio;
  progress.samples_per_second = recent_.SamplesPerSecond();
  progress.eta_seconds = EtaSeconds();
  if (!log_.series.loss.empty()) progress.loss = log_.series.loss.back();
  if (evaluation_) {
    progress.top1 = evaluation_->top1;
    progress.psnr_decibels = evaluation_->psnr_decibels;
    progress.input_psnr_decibels = evaluation_->input_psnr_decibels;
  }
  const measure::BottleneckVerdict verdict = Bottleneck(newest_);
  progress.bottleneck = verdict.bottleneck;
  progress.bottleneck_reason = verdict.reason;
  progress.stage_seconds = stages_;
  return progress;
}

}  // namespace fairlap::report

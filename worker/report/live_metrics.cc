#include "worker/report/live_metrics.h"

#include <prometheus/text_serializer.h>

#include <sstream>
#include <utility>

#include "worker/report/metric_names.h"

namespace fairlap::report {
namespace {

const prometheus::Histogram::BucketBoundaries kStepBuckets = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};

void RaiseTo(double total, prometheus::Counter& counter) {
  counter.Increment(total - counter.Value());
}

std::string Text(bool value) { return value ? "true" : "false"; }

prometheus::Labels InfoLabels(const api::RunConfig& config) {
  const api::RepeatIdentity& identity = config.identity;
  return {
      {"run", identity.run},
      {"namespace", identity.ns},
      {"job", identity.job},
      {"repeat", identity.repeat},
      {"attempt", std::to_string(identity.attempt)},
      {"warmup", Text(identity.warmup)},
      {"model", std::string(base::EnumName(config.software.model))},
      {"precision", std::string(base::EnumName(config.software.precision))},
      {"device", std::string(base::EnumName(config.device))},
      {"dataset", std::string(base::EnumName(config.problem.dataset.format))},
      {"seed", std::to_string(config.seed)},
  };
}

}  // namespace

LiveMetrics::LateGauge::LateGauge(Gauges& family, prometheus::Labels labels)
    : family_(family), labels_(std::move(labels)) {}

void LiveMetrics::LateGauge::Set(double value) {
  if (gauge_ == nullptr) gauge_ = &family_.Add(labels_);
  gauge_->Set(value);
}

LiveMetrics::Counters& LiveMetrics::MakeCounters(const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry_);
}

LiveMetrics::Gauges& LiveMetrics::MakeGauges(const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry_);
}

LiveMetrics::LiveMetrics(const api::RunConfig& config)
    : samples_(MakeCounters(metric::kSamples, "Samples trained on or evaluated.")),
      steps_(MakeCounters(metric::kSteps, "Finished steps.")),
      stages_(
          MakeCounters(metric::kStageSeconds,
                       "Thread-busy seconds of each stage; input stages run in several threads.")),
      bytes_(MakeCounters(metric::kReadBytes,
                          "Bytes asked of the file system, and bytes that came from a device.")),
      errors_(
          MakeCounters(metric::kStageErrors,
                       "Training files that could not be read, and that could not be decoded.")),
      trained_samples_(samples_.Add({{metric::kPhase, metric::kTrain}})),
      evaluated_samples_(samples_.Add({{metric::kPhase, metric::kEvaluate}})),
      trained_steps_(steps_.Add({{metric::kPhase, metric::kTrain}})),
      read_(stages_.Add({{metric::kStage, metric::kRead}})),
      decode_(stages_.Add({{metric::kStage, metric::kDecode}})),
      transform_(stages_.Add({{metric::kStage, metric::kTransform}})),
      wait_(stages_.Add({{metric::kStage, metric::kWait}})),
      copy_(stages_.Add({{metric::kStage, metric::kCopy}})),
      forward_(stages_.Add({{metric::kStage, metric::kForward}})),
      backward_(stages_.Add({{metric::kStage, metric::kBackward}})),
      update_(stages_.Add({{metric::kStage, metric::kUpdate}})),
      compute_(stages_.Add({{metric::kStage, metric::kCompute}})),
      all_reduce_(stages_.Add({{metric::kStage, metric::kAllReduce}})),
      evaluate_(stages_.Add({{metric::kStage, metric::kEvaluate}})),
      cache_prepare_(stages_.Add({{metric::kStage, metric::kCachePrepare}})),
      requested_bytes_(bytes_.Add({{metric::kSource, metric::kRequested}})),
      read_errors_(errors_.Add({{metric::kStage, metric::kRead}})),
      decode_errors_(errors_.Add({{metric::kStage, metric::kDecode}})),
      step_duration_(prometheus::BuildHistogram()
                         .Name(metric::kStepDuration)
                         .Help("Wall time of a training step.")
                         .Register(registry_)
                         .Add({}, kStepBuckets)),
      input_threads_(MakeGauges(metric::kInputThreads, "Threads that load samples.")),
      ready_batches_(MakeGauges(metric::kReadyBatches,
                                "Finished batches that waited when the last step took its own.")),
      stall_ratio_(
          MakeGauges(metric::kDataStallRatio,
                     "Share of the window's wall time in which training waited for data.")),
      ready_ratio_(MakeGauges(metric::kInputReadyRatio, "1 - the data stall ratio.")),
      samples_per_second_(
          MakeGauges(metric::kSamplesPerSecond, "Training throughput of the last few seconds.")),
      loss_(MakeGauges(metric::kLoss, "Training loss of the last step.")),
      epoch_(MakeGauges(metric::kEpoch, "The epoch being trained, from 0.")),
      progress_(MakeGauges(metric::kProgressRatio, "How much of this repeat is done.")),
      accuracy_(MakeGauges(metric::kAccuracyRatio, "Of the last evaluation, 0 to 1.")),
      top1_(accuracy_, {{metric::kMetric, metric::kTop1}}),
      top5_(accuracy_, {{metric::kMetric, metric::kTop5}}),
      psnr_(MakeGauges(metric::kPsnrDecibels, "Of the last evaluation.")),
      input_psnr_(MakeGauges(metric::kInputPsnrDecibels,
                             "Of the noisy images in the last evaluation: the PSNR to improve.")),
      validation_loss_(MakeGauges(metric::kValidationLoss, "Mean loss in the last evaluation.")) {
  MakeGauges(metric::kBenchmarkInfo, "What is measured; always 1.").Add(InfoLabels(config)).Set(1);
}

void LiveMetrics::AddStep(const train::StepRecord& record) {
  trained_steps_.Increment();
  trained_samples_.Increment(static_cast<double>(record.samples));
  wait_.Increment(record.wait_seconds);
  copy_.Increment(record.copy_seconds);
  forward_.Increment(record.forward_seconds);
  backward_.Increment(record.backward_seconds);
  update_.Increment(record.update_seconds);
  compute_.Increment(record.compute_seconds);
  all_reduce_.Increment(record.all_reduce_seconds);
  step_duration_.Observe(record.wall_seconds);
  loss_.Set(record.loss);
  epoch_.Set(static_cast<double>(record.epoch));
}

void LiveMetrics::AddEvaluation(const train::EvaluationRecord& record) {
  evaluated_samples_.Increment(static_cast<double>(record.samples));
  evaluate_.Increment(record.seconds);
  if (record.top1) top1_.Set(*record.top1);
  if (record.top5) top5_.Set(*record.top5);
  if (record.psnr_decibels) psnr_.Set(*record.psnr_decibels);
  if (record.input_psnr_decibels) input_psnr_.Set(*record.input_psnr_decibels);
  if (record.loss) validation_loss_.Set(*record.loss);
}

void LiveMetrics::SetInputThreads(int64_t count) { input_threads_.Set(static_cast<double>(count)); }

void LiveMetrics::SetReadyBatches(int64_t count) { ready_batches_.Set(static_cast<double>(count)); }

void LiveMetrics::SetInput(const data::PipelineTotals& totals,
                           std::optional<int64_t> fetched_bytes) {
  RaiseTo(totals.read_seconds, read_);
  RaiseTo(totals.decode_seconds, decode_);
  RaiseTo(totals.transform_seconds, transform_);
  RaiseTo(static_cast<double>(totals.bytes_requested), requested_bytes_);
  RaiseTo(static_cast<double>(totals.unreadable_files), read_errors_);
  RaiseTo(static_cast<double>(totals.bad_files - totals.unreadable_files), decode_errors_);
  if (!fetched_bytes) return;
  if (fetched_bytes_ == nullptr) {
    fetched_bytes_ = &bytes_.Add({{metric::kSource, metric::kFetched}});
  }
  RaiseTo(static_cast<double>(*fetched_bytes), *fetched_bytes_);
}

void LiveMetrics::SetStaging(const StagingFacts& facts) {
  if (stage_in_ == nullptr) {
    stage_in_ = &stages_.Add({{metric::kStage, metric::kStageIn}});
    staged_bytes_ =
        &MakeCounters(metric::kStagedBytes, "Bytes of the data set copied to scratch.").Add({});
  }
  RaiseTo(facts.seconds, *stage_in_);
  RaiseTo(static_cast<double>(facts.bytes), *staged_bytes_);
}

void LiveMetrics::SetCachePrepareSeconds(double seconds) { RaiseTo(seconds, cache_prepare_); }

void LiveMetrics::SetStallRatio(double ratio) {
  stall_ratio_.Set(ratio);
  ready_ratio_.Set(1 - ratio);
}

void LiveMetrics::SetSamplesPerSecond(double rate) { samples_per_second_.Set(rate); }

void LiveMetrics::SetProgressRatio(double ratio) { progress_.Set(ratio); }

std::string LiveMetrics::Text() const {
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, registry_.Collect());
  return std::move(text).str();
}

}  // namespace fairlap::report

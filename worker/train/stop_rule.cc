#include "worker/train/stop_rule.h"

#include <algorithm>
#include <string>

namespace fairlap::train {
namespace {

std::optional<double> Metric(api::AccuracyMetric metric, const EvaluationRecord& evaluation) {
  switch (metric) {
    case api::AccuracyMetric::kTop1: return evaluation.top1;
    case api::AccuracyMetric::kTop5: return evaluation.top5;
    case api::AccuracyMetric::kPsnr: return evaluation.psnr_decibels;
    case api::AccuracyMetric::kLoss: return evaluation.loss;
  }
  return std::nullopt;
}

int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

TrainPlan MakePlan(const api::StopSpec& stop, int64_t samples, int64_t batch_size) {
  const int64_t steps_per_epoch = CeilDivide(samples, batch_size);
  return {.total_steps = stop.steps ? *stop.steps : MostEpochs(stop) * steps_per_epoch,
          .steps_per_epoch = steps_per_epoch};
}

int64_t MostEpochs(const api::StopSpec& stop) {
  if (stop.accuracy) return stop.accuracy->max_epochs;
  return stop.epochs.value_or(0);
}

bool IsFinished(const api::StopSpec& stop, const Progress& progress) {
  if (stop.steps) return progress.steps >= *stop.steps;
  return progress.target_reached || progress.epochs >= MostEpochs(stop);
}

bool EvaluatesAfter(const api::StopSpec& stop, int64_t epochs) {
  if (stop.steps) return false;
  if (epochs == MostEpochs(stop)) return true;
  return stop.accuracy && epochs % stop.accuracy->every_epochs == 0;
}

base::Result<bool> ReachesTarget(const api::AccuracyStop& stop,
                                 const EvaluationRecord& evaluation) {
  const std::optional<double> value = Metric(stop.metric, evaluation);
  if (!value) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           "stop.accuracy.metric " + std::string(base::EnumName(stop.metric)) +
                               " is not measured for this model");
  }
  const double target = stop.target.Value();
  return stop.metric == api::AccuracyMetric::kLoss ? *value <= target : *value >= target;
}

bool SamplesAsAsked(const api::StopSpec& stop, const Progress& progress, int64_t samples,
                    int64_t batch_size, int64_t bad_files) {
  if (stop.steps && progress.steps != *stop.steps) return false;
  const int64_t steps_per_epoch = CeilDivide(samples, batch_size);
  const int64_t rest = stop.steps && bad_files == 0
                           ? std::min(*stop.steps % steps_per_epoch * batch_size, samples)
                           : 0;
  const int64_t most = progress.epochs * samples + rest;
  if (bad_files == 0) return progress.samples == most;
  const int64_t least = progress.epochs * (samples - bad_files);
  // A batch emptied by bad files is no step, so that the last epoch of a steps rule is known to be
  // whole or not only by its count.
  const int64_t slack = stop.steps ? samples : 0;
  return progress.samples >= least && progress.samples <= most + slack;
}

}  // namespace fairlap::train

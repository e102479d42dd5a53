#include "worker/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace fairlap::train {
namespace {

double Cosine(const Schedule& schedule, int64_t step) {
  const int64_t steps = std::max<int64_t>(1, schedule.total_steps - schedule.warmup_steps);
  const double done = static_cast<double>(std::min(step - schedule.warmup_steps, steps)) /
                      static_cast<double>(steps);
  return schedule.end_learning_rate + (schedule.learning_rate - schedule.end_learning_rate) *
                                          (1 + std::cos(std::numbers::pi * done)) / 2;
}

}  // namespace

base::Result<Schedule> MakeSchedule(const api::OptimizerSpec& optimizer, const TrainPlan& plan) {
  const api::ScheduleSpec& spec = optimizer.schedule;
  if (spec.name == api::ScheduleName::kOneCycle || spec.name == api::ScheduleName::kPolynomial) {
    return base::MakeError(base::ErrorKind::kUnavailable,
                           "the schedule " + std::string(base::EnumName(spec.name)) +
                               " is not available in this version");
  }
  Schedule schedule{.name = spec.name,
                    .learning_rate = optimizer.learning_rate.Value(),
                    .end_learning_rate = spec.end_learning_rate.Value(),
                    .gamma = spec.gamma.Value(),
                    .milestones_steps = {},
                    .warmup_steps = spec.warmup_steps,
                    .total_steps = plan.total_steps};
  for (const int64_t epoch : spec.milestones_epochs) {
    schedule.milestones_steps.push_back(epoch * plan.steps_per_epoch);
  }
  return schedule;
}

double LearningRate(const Schedule& schedule, int64_t step) {
  if (step < schedule.warmup_steps) {
    return schedule.learning_rate * static_cast<double>(step + 1) /
           static_cast<double>(schedule.warmup_steps);
  }
  if (schedule.name == api::ScheduleName::kCosine) return Cosine(schedule, step);
  const auto passed = std::ranges::count_if(schedule.milestones_steps,
                                            [&](int64_t first) { return step >= first; });
  const bool steps_down = schedule.name == api::ScheduleName::kStep;
  return schedule.learning_rate *
         (steps_down ? std::pow(schedule.gamma, static_cast<double>(passed)) : 1.0);
}

}  // namespace fairlap::train

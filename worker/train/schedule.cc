#include "worker/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fairlap::train {
namespace {

constexpr double kCycleDivisor = 25;     // OneCycleLR's div_factor
constexpr double kCycleRiseShare = 0.3;  // and its pct_start

// From `from` at share 0 to `to` at share 1.
double HalfCosine(double from, double to, double share) {
  return to + (from - to) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

double OneCycle(const Schedule& schedule, double step, double steps) {
  const double top = std::max(0.0, kCycleRiseShare * steps - 1);
  const double first = schedule.learning_rate / kCycleDivisor;
  if (step <= top) {
    return HalfCosine(first, schedule.learning_rate, top > 0 ? step / top : 1);
  }
  const double share = std::min(1.0, (step - top) / (steps - 1 - top));
  return HalfCosine(schedule.learning_rate, schedule.end_learning_rate, share);
}

// Of the 0-based step after warm-up.
double MainRate(const Schedule& schedule, int64_t step) {
  const auto steps =
      static_cast<double>(std::max<int64_t>(1, schedule.total_steps - schedule.warmup_steps));
  const double done = std::min(static_cast<double>(step) / steps, 1.0);
  const double rate = schedule.learning_rate, end = schedule.end_learning_rate;
  switch (schedule.name) {
    case api::ScheduleName::kConstant: return rate;
    case api::ScheduleName::kStep: {
      const auto passed = std::ranges::count_if(schedule.milestones_steps, [&](int64_t first) {
        return step + schedule.warmup_steps >= first;
      });
      return rate * std::pow(schedule.gamma, static_cast<double>(passed));
    }
    case api::ScheduleName::kCosine: return HalfCosine(rate, end, done);
    case api::ScheduleName::kPolynomial:
      return end + (rate - end) * std::pow(1 - done, schedule.power);
    case api::ScheduleName::kOneCycle: return OneCycle(schedule, static_cast<double>(step), steps);
  }
  return rate;
}

}  // namespace

Schedule MakeSchedule(const api::OptimizerSpec& optimizer, const TrainPlan& plan) {
  const api::ScheduleSpec& spec = optimizer.schedule;
  Schedule schedule{.name = spec.name,
                    .learning_rate = optimizer.learning_rate.Value(),
                    .end_learning_rate = spec.end_learning_rate.Value(),
                    .gamma = spec.gamma.Value(),
                    .power = spec.power.Value(),
                    .milestones_steps = {},
                    .warmup_steps = spec.warmup_steps,
                    .total_steps = plan.total_steps};
  for (const int64_t epoch : spec.milestones_epochs) {
    schedule.milestones_steps.push_back(epoch * plan.steps_per_epoch);
  }
  return schedule;
}

double LearningRate(const Schedule& schedule, int64_t step) {
  if (step >= schedule.warmup_steps) return MainRate(schedule, step - schedule.warmup_steps);
  return MainRate(schedule, 0) * static_cast<double>(step + 1) /
         static_cast<double>(schedule.warmup_steps);
}

}  // namespace fairlap::train

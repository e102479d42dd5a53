// The learning rate of every step, as a pure function. Links no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_SCHEDULE_H_
#define FAIRLAP_WORKER_TRAIN_SCHEDULE_H_

#include <cstdint>
#include <vector>

#include "lib/api/spec.h"
#include "worker/train/observer.h"

namespace fairlap::train {

struct Schedule {
  api::ScheduleName name = api::ScheduleName::kConstant;
  double learning_rate = 0;
  double end_learning_rate = 0;           // cosine, polynomial, one-cycle
  double gamma = 0;                       // step
  double power = 0;                       // polynomial
  std::vector<int64_t> milestones_steps;  // step: the first steps at the next lower rate
  int64_t warmup_steps = 0;
  int64_t total_steps = 0;
};

Schedule MakeSchedule(const api::OptimizerSpec& optimizer, const TrainPlan& plan);

// Of the 0-based `step`. Warm-up is linear from 0 just before the first step, and reaches the
// schedule's first rate at the last warm-up step: first x (step + 1) / warmup_steps. After it
//   constant: the rate;
//   step: rate x gamma ^ (milestones passed);
//   cosine: end + (rate - end) x (1 + cos(pi x t)) / 2, t = share of the steps after warm-up done
//     before this one (Loshchilov and Hutter, "SGDR", 2016, without restarts);
//   polynomial: end + (rate - end) x (1 - t) ^ power;
//   oneCycle: torch.optim.lr_scheduler.OneCycleLR with its defaults, over the steps after warm-up:
//     by half a cosine from rate / 25 to the rate in the first 30 % of the steps, by another to end
//     in the rest (Smith and Topin, "Super-Convergence", 2017).
double LearningRate(const Schedule& schedule, int64_t step);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_SCHEDULE_H_

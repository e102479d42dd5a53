// What a training came to. Includes no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_OUTCOME_H_
#define FAIRLAP_WORKER_TRAIN_OUTCOME_H_

#include <optional>

#include "lib/report/report.h"
#include "worker/train/observer.h"
#include "worker/train/stop_rule.h"

namespace fairlap::train {

struct TrainOutcome {
  Progress progress;
  // Only with a stop rule on accuracy; false: maxEpochs passed without it.
  std::optional<bool> target_reached;
  std::optional<EvaluationRecord> evaluation;  // the last one
  report::ModelFacts model;
  report::DataFacts data;
  report::Checks checks;  // see Observer::OnChecks
};

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_OUTCOME_H_

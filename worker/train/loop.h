// The training loop: batches through a network until the stop rule is met. Knows nothing of files,
// metrics or reports.
#ifndef FAIRLAP_WORKER_TRAIN_LOOP_H_
#define FAIRLAP_WORKER_TRAIN_LOOP_H_

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "lib/api/spec.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "worker/model/network.h"
#include "worker/step/train_step.h"
#include "worker/train/batch_source.h"
#include "worker/train/observer.h"
#include "worker/train/outcome.h"
#include "worker/train/schedule.h"

namespace fairlap::train {

struct Task {
  model::Network& network;  // on `device`, initialised
  BatchSource& batches;
  // Makes the batches of one pass; empty: there is no validation split.
  std::function<std::unique_ptr<BatchSource>()> validation = {};
  // Told once of the training batches, when their first epoch has been read or training ends, and
  // once of the first validation pass.
  std::function<void(const BatchSource&)> on_first_pass = [](const BatchSource&) {};
  step::StepOptions step = {};
  Schedule schedule = {};
  api::StopSpec stop = {};
  int64_t samples = 0;  // of the training split
  int64_t batch_size = 0;
  bool identified_samples = true;  // batches say which samples they hold
  const base::Clock& clock = base::SystemClock();
};

// Trains until the stop rule is met; what happened is told to `observer`, in order. `outcome` is
// filled as far as training came, whatever the result. Errors: kInterrupted soon after `stop` is
// requested (a half-done step is not counted), kDiverged for a loss that is not finite,
// kInvalidInput for too many bad files. libtorch's exceptions pass through.
base::Status Train(const Task& task, Observer& observer, std::stop_token stop,
                   TrainOutcome& outcome);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_LOOP_H_

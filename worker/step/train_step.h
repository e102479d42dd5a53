// One training step: forward, backward and update of one batch, in any precision, with or without a
// captured CUDA graph. This directory needs libtorch, worker/model and lib/models alone, so that it
// also builds where nothing else is installed (tests/bench/gpu.sh).
#ifndef FAIRLAP_WORKER_STEP_TRAIN_STEP_H_
#define FAIRLAP_WORKER_STEP_TRAIN_STEP_H_

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "worker/model/network.h"
#include "worker/step/batch.h"
#include "worker/step/graph.h"
#include "worker/step/loss.h"
#include "worker/step/loss_scaler.h"
#include "worker/step/optimizer.h"
#include "worker/step/precision.h"

namespace fairlap::step {

struct StepOptions {
  torch::Device device{torch::kCPU};
  Precision precision = Precision::kFp32;
  LossOptions loss;
  OptimizerOptions optimizer;
  bool cuda_graphs = false;
};

// Why `options` cannot work here; "" if they can.
std::string WhyRefused(const StepOptions& options);

// Called when the host has issued the forward and the backward pass; not called by a step that is
// replayed from a graph, whose parts the host cannot tell apart.
struct StepMarks {
  std::function<void()> forward, backward;
};

// Used by one thread.
class TrainStep {
 public:
  // `network` is on the device, in training mode, and outlives this. WhyRefused is "".
  TrainStep(model::Network& network, const StepOptions& options);
  ~TrainStep();
  TrainStep(const TrainStep&) = delete;
  TrainStep& operator=(const TrainStep&) = delete;

  // The loss as float32, detached, on the device, valid until the next step. With CUDA graphs the
  // first few batches of a size run as they are, then that size is captured; a batch of another
  // size (an epoch's last) always runs as it is.
  torch::Tensor Run(const DeviceBatch& batch, double learning_rate, const StepMarks& marks = {});

  bool is_replayed() const { return replayed_; }  // the last step came from a graph
  // fp16: updates left out since the gradients overflowed. Waits for the device.
  std::optional<int64_t> SkippedUpdates() const;

 private:
  template <class Rate>
  torch::Tensor RunEagerly(const DeviceBatch& batch, const Rate& learning_rate,
                           const StepMarks& marks);

  model::Network& network_;
  const StepOptions options_;
  Optimizer optimizer_;
  std::optional<LossScaler> scaler_;
  std::unique_ptr<StepGraph> graph_;
  bool replayed_ = false;
};

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_TRAIN_STEP_H_

// A training step captured as a CUDA graph, for one size of batch.
#ifndef FAIRLAP_WORKER_STEP_GRAPH_H_
#define FAIRLAP_WORKER_STEP_GRAPH_H_

#include <torch/torch.h>

#include <functional>
#include <memory>

#include "worker/step/batch.h"

namespace fairlap::step {

// Runs one step on the tensors that it is given and returns the loss.
using StepFunction =
    std::function<torch::Tensor(const DeviceBatch& batch, const torch::Tensor& learning_rate)>;

class StepGraph {
 public:
  virtual ~StepGraph() = default;
  // True if `batch` can be replayed, or captured now; else the caller runs it with OnSideStream.
  virtual bool Fits(const DeviceBatch& batch) = 0;
  // Copies the batch and the rate to where the graph reads them, captures the step if that is not
  // done yet, and replays it. The loss is overwritten by the next replay.
  virtual torch::Tensor Replay(const DeviceBatch& batch, double learning_rate) = 0;
  // The stream that steps before the capture run on, as capturing demands.
  virtual torch::Tensor OnSideStream(const std::function<torch::Tensor()>& step) = 0;
};

#if FAIRLAP_CUDA
std::unique_ptr<StepGraph> MakeStepGraph(StepFunction step, torch::Device device);
#endif

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_GRAPH_H_

#include "worker/step/train_step.h"

#include <utility>

namespace fairlap::step {

std::string WhyRefused(const StepOptions& options) {
  if (options.precision == Precision::kTf32 && !options.device.is_cuda()) {
    return "precision tf32 needs a GPU";
  }
  if (!options.cuda_graphs) return "";
  if (!options.device.is_cuda()) return "CUDA graphs need a GPU";
#if FAIRLAP_CUDA
  return "";
#else
  return "this program was built without CUDA graphs";
#endif
}

TrainStep::TrainStep(model::Network& network, const StepOptions& options)
    : network_(network), options_(options), optimizer_(network.parameters(), options.optimizer) {
  if (options.precision == Precision::kFp16) scaler_.emplace(options.device);
#if FAIRLAP_CUDA
  if (options.cuda_graphs) {
    graph_ = MakeStepGraph(
        [this](const DeviceBatch& batch, const torch::Tensor& learning_rate) {
          return RunEagerly(batch, learning_rate, {});
        },
        options.device);
  }
#endif
}

TrainStep::~TrainStep() = default;

torch::Tensor TrainStep::Run(const DeviceBatch& batch, double learning_rate,
                             const StepMarks& marks) {
  replayed_ = false;
  if (graph_ == nullptr) return RunEagerly(batch, learning_rate, marks);
  replayed_ = graph_->Fits(batch);
  if (replayed_) return graph_->Replay(batch, learning_rate);
  return graph_->OnSideStream([&] { return RunEagerly(batch, learning_rate, marks); });
}

template <class Rate>
torch::Tensor TrainStep::RunEagerly(const DeviceBatch& batch, const Rate& learning_rate,
                                    const StepMarks& marks) {
  torch::Tensor loss;
  {
    const AutocastScope autocast(options_.precision, options_.device);
    loss = Loss(network_.Forward(batch.images), batch.targets, options_.loss);
  }
  if (marks.forward) marks.forward();
  optimizer_.ZeroGradients();
  (scaler_ ? scaler_->Scale(loss) : loss).backward();
  if (marks.backward) marks.backward();
  if (scaler_) {
    scaler_->Unscale(optimizer_.Gradients());
    optimizer_.Step(learning_rate, scaler_->found_infinity());
    scaler_->Update();
  } else {
    optimizer_.Step(learning_rate);
  }
  return loss.detach();
}

std::optional<int64_t> TrainStep::SkippedUpdates() const {
  if (!scaler_) return std::nullopt;
  return scaler_->SkippedUpdates();
}

}  // namespace fairlap::step

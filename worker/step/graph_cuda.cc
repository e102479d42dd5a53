// Not ATen/cuda/CUDAContext.h: it wants the headers of every CUDA library.
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Event.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <utility>

#include "worker/step/graph.h"

namespace fairlap::step {
namespace {

// Eager steps of a size before it is captured: cuDNN chooses its algorithms, the allocator and the
// optimizer settle. PyTorch's documentation of CUDA graphs asks for three.
constexpr int kEagerSteps = 3;

class CudaStepGraph : public StepGraph {
 public:
  CudaStepGraph(StepFunction step, torch::Device device)
      : step_(std::move(step)),
        side_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        learning_rate_(torch::zeros({}, torch::dtype(torch::kFloat32).device(device))) {}

  bool Fits(const DeviceBatch& batch) override {
    if (captured_) return batch.images.sizes() == static_.images.sizes();
    if (!static_.images.defined() || batch.images.sizes() != static_.images.sizes()) {
      static_ = {.images = torch::empty_like(batch.images),
                 .targets = torch::empty_like(batch.targets)};
      eager_steps_ = 0;
    }
    return ++eager_steps_ > kEagerSteps;
  }

  torch::Tensor Replay(const DeviceBatch& batch, double learning_rate) override {
    static_.images.copy_(batch.images, /*non_blocking=*/true);
    static_.targets.copy_(batch.targets, /*non_blocking=*/true);
    learning_rate_.fill_(learning_rate);
    if (!captured_) Capture();
    graph_.replay();
    return loss_;
  }

  torch::Tensor OnSideStream(const std::function<torch::Tensor()>& step) override {
    const auto current = c10::cuda::getCurrentCUDAStream();
    WaitFor(current, side_);
    torch::Tensor result;
    {
      const c10::cuda::CUDAStreamGuard guard(side_);
      result = step();
    }
    WaitFor(side_, current);
    return result;
  }

 private:
  // `later` goes on when what `earlier` holds now is done.
  static void WaitFor(const c10::cuda::CUDAStream& earlier, const c10::cuda::CUDAStream& later) {
    c10::Event event(torch::kCUDA);
    event.record(earlier);
    event.block(later);
  }

  void Capture() {
    OnSideStream([this] {
      graph_.capture_begin();
      loss_ = step_(static_, learning_rate_);
      graph_.capture_end();
      return loss_;
    });
    captured_ = true;
  }

  StepFunction step_;
  c10::cuda::CUDAStream side_;
  at::cuda::CUDAGraph graph_;
  DeviceBatch static_;
  torch::Tensor learning_rate_, loss_;
  int eager_steps_ = 0;
  bool captured_ = false;
};

}  // namespace

std::unique_ptr<StepGraph> MakeStepGraph(StepFunction step, torch::Device device) {
  return std::make_unique<CudaStepGraph>(std::move(step), device);
}

}  // namespace fairlap::step

// Training steps on synthetic data, for a harness that alternates with a peer (stepper.h).
// --loop step: bare steps. --loop worker: the worker's whole loop with everything that a run
// measures. Built with FAIRLAP_BENCH_STEP_ONLY it has the bare steps alone.
#include <chrono>
#include <iostream>

#include "stepper.h"
#include "worker/step/memory.h"
#if !FAIRLAP_BENCH_STEP_ONLY
#include "worker_loop.h"
#endif

namespace fairlap::bench {
namespace {

constexpr double kLearningRate = 0.001;

// The loss of every step is read, as the worker does; on a GPU one step late, so that the host can
// run ahead of it.
int RunSteps(const Work& work) {
  const auto network = MakePlacedNetwork(work);
  const step::DeviceBatch batch = MakeBatch(work);
  step::TrainStep step(*network, work.step);
  SayReady(work, *network);
  while (const auto steps = NextTurn()) {
    const auto begin = std::chrono::steady_clock::now();
    double last = 0;
    torch::Tensor loss;
    for (int64_t i = 0; i < *steps; ++i) {
      torch::Tensor next = step.Run(batch, kLearningRate).to(torch::kCPU, /*non_blocking=*/true);
      if (work.step.device.is_cpu()) last = next.item<double>();
      loss = std::move(next);
    }
    if (work.step.device.is_cuda()) torch::cuda::synchronize();
    last = loss.item<double>();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    SayDone(*steps, taken.count(), last);
  }
  return 0;
}

int Run(int argc, char** argv) {
  step::AskForHugePages();
  const Work work = ParseOrExit(argc, argv);
  if (work.loop == "step") return RunSteps(work);
#if !FAIRLAP_BENCH_STEP_ONLY
  if (work.loop == "worker") return RunWorkerLoop(work);
#endif
  std::cerr << "error: --loop: there is no '" << work.loop << "'\n";
  return 2;
}

}  // namespace
}  // namespace fairlap::bench

int main(int argc, char** argv) { return fairlap::bench::Run(argc, argv); }

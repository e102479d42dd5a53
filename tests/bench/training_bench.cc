// Training steps on synthetic data, for a harness that alternates with a peer (stepper.h).
// --loop step: bare steps. --loop worker: the worker's whole loop with everything that a run
// measures. Built with FAIRLAP_BENCH_STEP_ONLY it has the bare steps alone.
#include <iostream>

#include "stepper.h"
#include "worker/step/memory.h"
#if !FAIRLAP_BENCH_STEP_ONLY
#include "worker_loop.h"
#endif

namespace fairlap::bench {
namespace {

int RunSteps(const Work& work) {
  const auto network = MakePlacedNetwork(work);
  const step::DeviceBatch batch = MakeBatch(work);
  step::TrainStep step(*network, work.step);
  SayReady(work, *network);
  while (const auto turn = NextTurn()) RunBareTurn(step, batch, turn->steps);
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

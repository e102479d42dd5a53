// What both training benchmarks share: the command line, and the protocol that lets a harness
// alternate two programs. The program prints {"ready": true, ...} once its network and batch are
// made; then for each line "N" on its standard input it trains N steps and prints
// {"steps": N, "seconds": s, "peakBytes": b, "loss": l}; it ends where the input ends. Needs
// libtorch, worker/model and worker/step alone.
#ifndef FAIRLAP_TESTS_BENCH_STEPPER_H_
#define FAIRLAP_TESTS_BENCH_STEPPER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lib/models/networks.h"
#include "worker/model/network.h"
#include "worker/step/train_step.h"

namespace fairlap::bench {

struct Work {
  models::NetworkFacts network;
  int64_t batch = 1, size = 0, classes = 0, threads = 1;
  bool channels_last = false;
  std::string precision = "fp32", loop = "step";
  step::StepOptions step;
};

// Prints what is wrong and exits with 2 if the flags are not understood.
Work ParseOrExit(int argc, char** argv);

std::shared_ptr<model::Network> MakePlacedNetwork(const Work& work);
// Standard normal pixels and uniform labels, the same for every step.
step::DeviceBatch MakeBatch(const Work& work);

void SayReady(const Work& work, const model::Network& network);
std::optional<int64_t> NextTurn();  // how many steps; nullopt: it is over
void SayDone(int64_t steps, double seconds, double loss);

}  // namespace fairlap::bench

#endif  // FAIRLAP_TESTS_BENCH_STEPPER_H_

// What both training benchmarks share: the command line, and the protocol that lets a harness
// alternate two programs. The program prints {"ready": true, ...} once its network and batch are
// made; then for each line "N" on its standard input it trains N steps and prints
// {"steps": N, "seconds": s, "peakBytes": b, "loss": l}; it ends where the input ends. With --loop
// worker "N bare" trains N bare steps of the same network, outside of the loop. Needs libtorch,
// worker/model and worker/step alone.
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

constexpr double kLearningRate = 0.001;

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

struct Turn {
  int64_t steps = 0;
  bool is_bare = false;
};

void SayReady(const Work& work, const model::Network& network);
std::optional<Turn> NextTurn();  // nullopt: it is over
void SayDone(int64_t steps, double seconds, double loss);

// Trains bare steps and says so. The loss of every step is read, as the worker does; on a GPU one
// step late, so that the host can run ahead of it.
void RunBareTurn(step::TrainStep& step, const step::DeviceBatch& batch, int64_t steps);

}  // namespace fairlap::bench

#endif  // FAIRLAP_TESTS_BENCH_STEPPER_H_

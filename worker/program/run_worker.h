// A worker's life, around the training: command line, RunConfig, recorder, endpoint, signals,
// report.
#ifndef FAIRLAP_WORKER_PROGRAM_RUN_WORKER_H_
#define FAIRLAP_WORKER_PROGRAM_RUN_WORKER_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>

#include "lib/api/run_config.h"
#include "lib/base/result.h"
#include "worker/measure/environment.h"
#include "worker/train/observer.h"

namespace fairlap::program {

// Where the volumes are mounted; "" if not given.
struct Folders {
  std::filesystem::path data, scratch;
};

// What the worker trains with. This library links no libtorch; main.cc fills this in.
struct Trainer {
  // Whether the accuracy target was reached; nullopt if the stop rule has none.
  std::function<base::Result<std::optional<bool>>(const api::RunConfig&, const Folders&,
                                                  int64_t compute_threads, train::Observer&,
                                                  std::stop_token)>
      train;
  measure::FrameworkFacts framework;
};

// Never returns: ends the process with an ExitCode, without waiting for whoever still talks to the
// endpoint. base::BlockStopSignals must have been called.
[[noreturn]] void RunWorker(int argc, const char* const* argv, const Trainer& trainer);

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_RUN_WORKER_H_

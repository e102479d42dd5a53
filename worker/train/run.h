// A whole training from its RunConfig: data set, network, input pipeline, loop. Includes no
// libtorch, and is the one edge at which libtorch's exceptions become errors.
#ifndef FAIRLAP_WORKER_TRAIN_RUN_H_
#define FAIRLAP_WORKER_TRAIN_RUN_H_

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "lib/api/run_config.h"
#include "lib/base/result.h"
#include "worker/train/observer.h"
#include "worker/train/outcome.h"
#include "worker/train/splits.h"

namespace fairlap::train {

// What is not the benchmark's but this process's.
struct Surroundings {
  std::filesystem::path data;     // where the data volume is mounted
  std::filesystem::path scratch;  // the same of the scratch volume; "" without staging
  int64_t compute_threads = 1;    // of libtorch's operators on the CPU
};

// Copies the data set to scratch if the config says so, indexes it, builds the network and trains
// it, telling `observer` (see there) on the way. `outcome` is filled as far as it came, whatever
// the result. Errors beside Train's: what StageData and OpenDataset say; kInvalidInput if accuracy
// is to be reached without a validation split, or if the validation split has a class that the
// training split lacks; kUnavailable for a network or device that this build or machine does not
// have; kOutOfMemory; kInternal with libtorch's words.
base::Status RunTraining(const api::RunConfig& config, const Surroundings& surroundings,
                         Observer& observer, std::stop_token stop, TrainOutcome& outcome);

// The same with a data set that is already open.
base::Status RunTrainingOn(const Splits& splits, const api::RunConfig& config,
                           int64_t compute_threads, Observer& observer, std::stop_token stop,
                           TrainOutcome& outcome);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_RUN_H_

// The data set on its way to scratch (storage.staging: copy). Includes no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_STAGING_H_
#define FAIRLAP_WORKER_TRAIN_STAGING_H_

#include <filesystem>
#include <stop_token>

#include "lib/api/run_config.h"
#include "lib/base/result.h"
#include "worker/train/observer.h"

namespace fairlap::train {

// The root to read the data set from: with staging direct `data` itself, with staging copy
// `scratch`, which then holds the splits that the stop rule needs, or all of `data` for a format
// without folders for its splits. Tells `observer` the phase, how far the copy is and its mark.
// Errors: what storage::StageIn says.
base::Result<std::filesystem::path> StageData(const api::RunConfig& config,
                                              const std::filesystem::path& data,
                                              const std::filesystem::path& scratch,
                                              Observer& observer, const std::stop_token& stop);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_STAGING_H_

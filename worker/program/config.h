// The RunConfig file.
#ifndef FAIRLAP_WORKER_PROGRAM_CONFIG_H_
#define FAIRLAP_WORKER_PROGRAM_CONFIG_H_

#include <filesystem>
#include <string>

#include "lib/api/run_config.h"
#include "lib/base/result.h"

namespace fairlap::program {

// Reads and checks the file. The error holds a line for each problem: "run.yaml:12: seed: ...".
base::Result<api::RunConfig> ReadRunConfig(const std::filesystem::path& path);

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_CONFIG_H_

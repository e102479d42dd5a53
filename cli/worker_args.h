// From the Job that the planner made for a cluster to the command line of a local worker: the same
// arguments, with a folder or file of this machine in each mount path's place. Pure.
#ifndef FAIRLAP_CLI_WORKER_ARGS_H_
#define FAIRLAP_CLI_WORKER_ARGS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/result.h"

namespace fairlap::cli {

struct LocalPaths {
  std::filesystem::path config;                     // in the place of plan::kConfigFile
  std::filesystem::path results;                    // plan::kResultsMount
  std::filesystem::path termination_message;        // plan::kTerminationFile
  std::filesystem::path scratch;                    // plan::kScratchMount
  std::filesystem::path address;                    // where the worker says where it listens
  std::optional<std::filesystem::path> data;        // plan::kDataMount; absent for synthetic data
  std::optional<std::filesystem::path> mllog = {};  // gets MLPerf's log lines
};

// The worker then listens on a free port of this machine only and ends when its parent does. An
// argument for a mount that has no folder is left out. kInternal if `job` is no Job with arguments.
base::Result<std::vector<std::string>> MakeWorkerArgs(const base::Json& job,
                                                      const LocalPaths& paths);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_WORKER_ARGS_H_

// Everything below some folders of a data set.
#ifndef FAIRLAP_WORKER_STORAGE_FILE_TREE_H_
#define FAIRLAP_WORKER_STORAGE_FILE_TREE_H_

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::storage {

// Paths relative to the root, in byte order, each once.
struct FileTree {
  std::vector<std::string> folders;
  std::vector<std::string> files;  // whatever is no folder
};

// Adds what is below root/`path`, that folder included. Links are followed; names that start with
// '.' and lost+found are left out. Errors name the folder: kNotFound, kIo, kInvalidInput for a
// folder that a link puts inside of itself, kInterrupted.
base::Status AddTree(const std::filesystem::path& root, const std::string& path,
                     const std::stop_token& stop, FileTree& tree);

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_FILE_TREE_H_

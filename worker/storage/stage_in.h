// Staging: copies a data set to a scratch volume before it is used (storage.staging: copy).
#ifndef FAIRLAP_WORKER_STORAGE_STAGE_IN_H_
#define FAIRLAP_WORKER_STORAGE_STAGE_IN_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::storage {

struct StagePart {
  std::string path;  // a folder, relative to the data's root; "." is all of it
  bool optional = false;
};

struct StageInOptions {
  std::filesystem::path from;  // the data's root
  std::filesystem::path to;    // the scratch's root: a folder
  std::vector<StagePart> parts;
  int threads = 8;  // a network file system wants many requests under way; each takes 4 MiB
};

// How far it is. Only grows, the totals being known from the first time on.
struct StageInProgress {
  int64_t files = 0;  // on the scratch's device, checked; kept ones included
  int64_t bytes = 0;  // written
  int64_t total_files = 0, total_bytes = 0;
  int64_t kept_files = 0, kept_bytes = 0;  // were there already
};

// Copies every file below the parts to the same relative path in `to`, and leaves `to` on its
// device and out of the page cache. Names that start with '.' and lost+found, which no data set
// reads, are left out; links are followed. A file that is there already with its size and
// modification time is kept, so that an interrupted copy can be taken up again.
//
// `progress` is called by the calling thread: once the totals are known and nothing is copied yet,
// then some times a second, and when copying has ended, well or not. Errors (with path and reason,
// nothing is retried): kUnavailable before anything is copied if `to` has too little space left;
// kNotFound for a part or file that is not there; kInvalidInput for a pipe, socket or device; kIo
// for what cannot be read or written and for a file that changes meanwhile; kInterrupted. What was
// copied by then stays there.
base::Status StageIn(const StageInOptions& options,
                     const std::function<void(const StageInProgress&)>& progress,
                     const std::stop_token& stop);

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_STAGE_IN_H_

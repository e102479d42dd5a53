// One file of the data set on its way to scratch. Errors carry the path and the system's reason.
#ifndef FAIRLAP_WORKER_STORAGE_STAGED_FILE_H_
#define FAIRLAP_WORKER_STORAGE_STAGED_FILE_H_

#include <time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "lib/base/result.h"
#include "worker/storage/byte_buffer.h"

namespace fairlap::storage {

// What tells one version of a file from another.
struct FileVersion {
  int64_t bytes = 0;
  timespec modified{};
  bool operator==(const FileVersion& other) const {
    return bytes == other.bytes && modified.tv_sec == other.modified.tv_sec &&
           modified.tv_nsec == other.modified.tv_nsec;
  }
};

// Follows links. kNotFound, kIo; kInvalidInput for what is not a regular file.
base::Result<FileVersion> VersionOf(const std::filesystem::path& file);

// Called with the bytes of every piece that was written.
using CountBytes = std::function<void(int64_t)>;

// Copies through `part`, a file of the same volume that is replaced if it is there, which is then
// renamed to `to`; the copy gets the modification time of the original. An original that does not
// have, or at the end no longer has, `version` is an error (kIo). Stops (kInterrupted) between
// pieces of some MiB. After an error `part` may be left. The copy is on its way to the device and
// not there yet: see Settle.
base::Status CopyFile(const std::filesystem::path& from, const FileVersion& version,
                      const std::filesystem::path& part, const std::filesystem::path& to,
                      ByteBuffer& buffer, const CountBytes& count, const std::stop_token& stop);

// Checks that `file` has `bytes`, waits until they are on the device, and drops its pages from the
// page cache.
base::Status Settle(const std::filesystem::path& file, int64_t bytes);

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_STAGED_FILE_H_

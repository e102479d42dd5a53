// Reads the files of samples, whole.
#ifndef FAIRLAP_WORKER_STORAGE_FILE_READER_H_
#define FAIRLAP_WORKER_STORAGE_FILE_READER_H_

#include <cstdint>
#include <span>
#include <string>

#include "lib/base/result.h"
#include "worker/storage/byte_buffer.h"

namespace fairlap::storage {

inline constexpr int64_t kMaxSampleFileBytes = int64_t{1} << 30;

enum class ReadMode {
  kBuffered,  // through the page cache, with the kernel's readahead doubled
  kDirect,    // O_DIRECT: past the page cache
};

// Used by one thread at a time.
class FileReader {
 public:
  explicit FileReader(ReadMode mode = ReadMode::kBuffered) : mode_(mode) {}

  // The file's bytes, valid until the next call. Errors carry the system's reason and no path,
  // which the caller has: kNotFound, kInvalidInput (larger than kMaxSampleFileBytes), kUnavailable
  // (the file system has no direct I/O), kIo. A file that shrinks meanwhile gives what is left.
  // Never blocks on a pipe or a device; a file system that does not answer is told to io_watch.h.
  base::Result<std::span<const uint8_t>> ReadFile(const std::string& path);

 private:
  const ReadMode mode_;
  ByteBuffer buffer_;
};

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_FILE_READER_H_

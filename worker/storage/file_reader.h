// Reads samples: a file whole, or a range of a file that stays open. Errors carry the system's
// reason and no path, which the caller has. A file system that does not answer is told to
// io_watch.h.
#ifndef FAIRLAP_WORKER_STORAGE_FILE_READER_H_
#define FAIRLAP_WORKER_STORAGE_FILE_READER_H_

#include <cstdint>
#include <span>
#include <string>

#include "lib/base/result.h"
#include "worker/storage/byte_buffer.h"
#include "worker/storage/open_file.h"

namespace fairlap::storage {

inline constexpr int64_t kMaxSampleFileBytes = int64_t{1} << 30;

enum class ReadMode {
  kBuffered,  // through the page cache, with the kernel's readahead doubled
  kDirect,    // O_DIRECT: past the page cache
};

// A file of any size that stays open, so that reading a sample out of it opens nothing. Any number
// of threads may read it at the same time, through the page cache.
class RangeFile {
 public:
  // Tells the kernel that ranges are asked for in random order. Errors as FileReader::ReadFile's.
  static base::Result<RangeFile> Open(const std::string& path);

  int64_t size() const { return file_.facts().st_size; }  // when it was opened

 private:
  friend class FileReader;
  RangeFile(OpenFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  OpenFile file_;
  std::string path_;
};

// Used by one thread at a time. What it returns is valid until its next call.
class FileReader {
 public:
  explicit FileReader(ReadMode mode = ReadMode::kBuffered) : mode_(mode) {}

  // The file's bytes. Errors: kNotFound, kInvalidInput (larger than kMaxSampleFileBytes),
  // kUnavailable (the file system has no direct I/O), kIo. A file that shrinks meanwhile gives what
  // is left. Never blocks on a pipe or a device.
  base::Result<std::span<const uint8_t>> ReadFile(const std::string& path);

  // The `size` bytes from `offset` on; an error where the file ends before.
  base::Result<std::span<const uint8_t>> ReadRange(const RangeFile& file, int64_t offset,
                                                   int64_t size);

 private:
  const ReadMode mode_;
  ByteBuffer buffer_;
};

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_FILE_READER_H_

#include "worker/storage/file_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "worker/storage/io_watch.h"

namespace fairlap::storage {
namespace {

using base::ErrorKind;
using base::MakeError;

// What one call reads, so that a large file on a slow mount is seen to make progress. A multiple of
// every block size that direct I/O may ask for.
constexpr size_t kMostBytesPerCall = size_t{8} << 20;

// Advice and flags for the mode. open(2) says EINVAL for more than a lack of direct I/O.
base::Status Prepare(int fd, ReadMode mode) {
  if (mode == ReadMode::kBuffered) {
    // Doubles the readahead window; advice, so its result does not matter.
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  } else if (::fcntl(fd, F_SETFL, O_DIRECT) != 0) {
    return MakeError(ErrorKind::kUnavailable,
                     "its file system has no direct I/O: choose software.input.reader buffered");
  }
  return {};
}

// Direct I/O wants whole blocks, so it asks for more than the file has.
size_t RoundUp(size_t bytes, ReadMode mode) {
  if (mode == ReadMode::kBuffered) return bytes;
  constexpr size_t kBlock = ByteBuffer::kAlignment;
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

// Fills `bytes` as far as the file goes; how many there were.
base::Result<size_t> ReadAt(int fd, int64_t offset, std::span<uint8_t> bytes, ReadMode mode,
                            IoScope& scope) {
  size_t done = 0;
  while (done < bytes.size()) {
    const size_t wanted = std::min(bytes.size() - done, kMostBytesPerCall);
    const ssize_t count = ::pread(fd, bytes.data() + done, wanted,
                                  static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("read", errno);
    done += static_cast<size_t>(count);
    scope.Progress();
    if (count == 0) break;
    // Part of a block is the end of a file, where direct I/O could not go on.
    if (mode == ReadMode::kDirect && done % ByteBuffer::kAlignment != 0) break;
  }
  return done;
}

}  // namespace

base::Result<RangeFile> RangeFile::Open(const std::string& path) {
  const IoScope scope("open", path);
  base::Result<OpenFile> file = OpenFile::Open(path.c_str());
  if (!file) return tl::unexpected(file.error());
  // Every range is then fetched as it is asked for, and nothing after it.
  ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_RANDOM);
  return RangeFile(std::move(*file), path);
}

base::Result<std::span<const uint8_t>> FileReader::ReadFile(const std::string& path) {
  IoScope scope("read", path);
  const base::Result<OpenFile> file = OpenFile::Open(path.c_str());
  if (!file) return tl::unexpected(file.error());
  if (file->facts().st_size > kMaxSampleFileBytes) {
    return MakeError(ErrorKind::kInvalidInput, "is larger than 1 GiB");
  }
  if (auto status = Prepare(file->descriptor(), mode_); !status) {
    return tl::unexpected(status.error());
  }
  const auto size = static_cast<size_t>(file->facts().st_size);
  const std::span<uint8_t> bytes = buffer_.Reserve(RoundUp(size, mode_));
  const base::Result<size_t> done = ReadAt(file->descriptor(), 0, bytes, mode_, scope);
  if (!done) return tl::unexpected(done.error());
  return bytes.first(std::min(*done, size));  // where it shrank, the decoder will tell
}

base::Result<std::span<const uint8_t>> FileReader::ReadRange(const RangeFile& file, int64_t offset,
                                                             int64_t size) {
  IoScope scope("read", file.path_);
  const std::span<uint8_t> bytes = buffer_.Reserve(static_cast<size_t>(size));
  const base::Result<size_t> done =
      ReadAt(file.file_.descriptor(), offset, bytes, ReadMode::kBuffered, scope);
  if (!done) return tl::unexpected(done.error());
  if (*done < bytes.size()) return MakeError(ErrorKind::kIo, "ends before this sample does");
  return bytes;
}

}  // namespace fairlap::storage

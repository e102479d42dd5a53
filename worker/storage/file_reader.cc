#include "worker/storage/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "lib/base/file.h"
#include "worker/storage/io_watch.h"

namespace fairlap::storage {
namespace {

using base::ErrorKind;
using base::MakeError;

// What one call reads, so that a large file on a slow mount is seen to make progress. A multiple of
// every block size that direct I/O may ask for.
constexpr size_t kMostBytesPerCall = size_t{8} << 20;

tl::unexpected<base::Error> SystemError(const char* action, int error_number) {
  const ErrorKind kind = error_number == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo;
  return MakeError(kind,
                   std::string("cannot ") + action + ": " + base::SystemMessage(error_number));
}

int OpenForReading(const char* path) {
  while (true) {
    // Without O_NONBLOCK a pipe that nobody writes to would hold the thread for good.
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 || errno != EINTR) return fd;
  }
}

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

base::Result<size_t> RegularFileSize(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return SystemError("read", errno);
  if (S_ISDIR(status.st_mode)) return SystemError("read", EISDIR);
  if (!S_ISREG(status.st_mode)) return MakeError(ErrorKind::kIo, "is not a regular file");
  if (status.st_size > kMaxSampleFileBytes) {
    return MakeError(ErrorKind::kInvalidInput, "is larger than 1 GiB");
  }
  return static_cast<size_t>(status.st_size);
}

// Direct I/O wants whole blocks, so it asks for more than the file has.
size_t RoundUp(size_t bytes, ReadMode mode) {
  if (mode == ReadMode::kBuffered) return bytes;
  constexpr size_t kBlock = ByteBuffer::kAlignment;
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

base::Result<std::span<const uint8_t>> ReadOpenFile(int fd, ReadMode mode, ByteBuffer& buffer,
                                                    IoScope& scope) {
  const base::Result<size_t> size = RegularFileSize(fd);
  if (!size) return tl::unexpected(size.error());
  if (auto status = Prepare(fd, mode); !status) return tl::unexpected(status.error());
  const std::span<uint8_t> bytes = buffer.Reserve(RoundUp(*size, mode));
  size_t done = 0;
  while (done < *size) {
    const size_t wanted = std::min(bytes.size() - done, kMostBytesPerCall);
    const ssize_t count = ::pread(fd, bytes.data() + done, wanted, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("read", errno);
    if (count == 0) break;  // it shrank meanwhile; the decoder will tell
    done += static_cast<size_t>(count);
    scope.Progress();
    // Part of a block: the end of a file that shrank. Direct I/O could not go on from here.
    if (mode == ReadMode::kDirect && done % ByteBuffer::kAlignment != 0) break;
  }
  return bytes.first(std::min(done, *size));
}

}  // namespace

base::Result<std::span<const uint8_t>> FileReader::ReadFile(const std::string& path) {
  IoScope scope("read", path);
  const int fd = OpenForReading(path.c_str());
  if (fd < 0) return SystemError("open", errno);
  auto bytes = ReadOpenFile(fd, mode_, buffer_, scope);
  ::close(fd);
  return bytes;
}

}  // namespace fairlap::storage

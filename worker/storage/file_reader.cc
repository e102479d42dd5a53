#include "worker/storage/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lib/base/file.h"

namespace fairlap::storage {
namespace {

using base::ErrorKind;
using base::MakeError;

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

base::Result<std::span<const uint8_t>> ReadOpenFile(int fd, ByteBuffer& buffer) {
  const base::Result<size_t> size = RegularFileSize(fd);
  if (!size) return tl::unexpected(size.error());
  const std::span<uint8_t> bytes = buffer.Reserve(*size);
  // Doubles the readahead window; advice, so its result does not matter.
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  size_t done = 0;
  while (done < *size) {
    const ssize_t count = ::pread(fd, bytes.data() + done, *size - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("read", errno);
    if (count == 0) break;  // it shrank meanwhile; the decoder will tell
    done += static_cast<size_t>(count);
  }
  return bytes.first(done);
}

}  // namespace

base::Result<std::span<const uint8_t>> ReadSampleFile(const char* path, ByteBuffer& buffer) {
  const int fd = OpenForReading(path);
  if (fd < 0) return SystemError("open", errno);
  auto bytes = ReadOpenFile(fd, buffer);
  ::close(fd);
  return bytes;
}

}  // namespace fairlap::storage

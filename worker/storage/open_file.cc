#include "worker/storage/open_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "lib/base/file.h"

namespace fairlap::storage {

using base::ErrorKind;
using base::MakeError;

tl::unexpected<base::Error> SystemError(const char* action, int error_number) {
  const ErrorKind kind = error_number == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo;
  return MakeError(kind,
                   std::string("cannot ") + action + ": " + base::SystemMessage(error_number));
}

base::Result<OpenFile> OpenFile::Open(const char* path) {
  int descriptor = -1;
  do {
    // Without O_NONBLOCK a pipe that nobody writes to would hold the thread for good.
    descriptor = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return SystemError("open", errno);
  OpenFile file(descriptor);
  if (::fstat(descriptor, &file.facts_) != 0) return SystemError("read", errno);
  if (S_ISDIR(file.facts_.st_mode)) return SystemError("read", EISDIR);
  if (!S_ISREG(file.facts_.st_mode)) return MakeError(ErrorKind::kIo, "is not a regular file");
  return file;
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), facts_(other.facts_) {}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace fairlap::storage

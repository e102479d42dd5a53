#include "lib/base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "lib/base/file_descriptor.h"

namespace fairlap::base {
namespace {

namespace fs = std::filesystem;

Error IoError(const fs::path& path, std::string_view action, int error_number) {
  const ErrorKind kind = error_number == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo;
  return Error{
      kind, path.string() + ": cannot " + std::string(action) + ": " + SystemMessage(error_number)};
}

int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

std::string SystemMessage(int error_number) {
  return std::generic_category().message(error_number);
}

Result<std::string> ReadFile(const fs::path& path, int64_t max_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return tl::unexpected(IoError(path, "open", errno));
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::unexpected(IoError(path, "read", errno));
    if (count == 0) return text;
    text.append(buffer, static_cast<size_t>(count));
    if (static_cast<int64_t>(text.size()) > max_bytes) {
      return MakeError(ErrorKind::kInvalidInput, path.string() + ": is larger than the " +
                                                     std::to_string(max_bytes) +
                                                     " bytes allowed here");
    }
  }
}

Status WriteFileAtomically(const fs::path& path, std::string_view text) {
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  if (failed) return tl::unexpected(IoError(path, "write", failed.value()));
  const fs::path part = path.string() + ".part." + std::to_string(::getpid());
  int error = 0;
  {
    const FileDescriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) return tl::unexpected(IoError(path, "write", errno));
    error = WriteAll(file.get(), text);
    if (error == 0 && ::fsync(file.get()) != 0 && errno != EINVAL) error = errno;
  }
  if (error == 0 && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(part.c_str());
  return tl::unexpected(IoError(path, "write", error));
}

}  // namespace fairlap::base

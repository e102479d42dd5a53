#include "worker/program/mllog_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "lib/base/file.h"

namespace fairlap::program {
namespace {

tl::unexpected<base::Error> CannotWrite(const std::filesystem::path& path, int error) {
  return base::MakeError(base::ErrorKind::kIo,
                         path.string() + ": cannot write: " + base::SystemMessage(error));
}

}  // namespace

base::Result<MlLogFile> MlLogFile::Open(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path == "-") return MlLogFile(path, STDOUT_FILENO);
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return CannotWrite(path, errno);
  return MlLogFile(path, file);
}

MlLogFile::MlLogFile(MlLogFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      status_(std::move(other.status_)) {}

MlLogFile::~MlLogFile() {
  if (file_ > STDERR_FILENO) ::close(file_);
}

void MlLogFile::Write(std::string_view line) {
  while (status_ && !line.empty()) {
    const ssize_t written = ::write(file_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      status_ = CannotWrite(path_, errno);
    } else {
      line.remove_prefix(static_cast<size_t>(written));
    }
  }
}

}  // namespace fairlap::program

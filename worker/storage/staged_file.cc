#include "worker/storage/staged_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>
#include <string>

#include "lib/base/file.h"
#include "lib/base/file_descriptor.h"
#include "worker/storage/io_watch.h"

namespace fairlap::storage {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::FileDescriptor;
using base::MakeError;

constexpr int64_t kPieceBytes = int64_t{4} << 20;

tl::unexpected<base::Error> SystemError(const fs::path& path, const char* action, int error) {
  const ErrorKind kind = error == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo;
  return MakeError(kind, path.string() + ": cannot " + action + ": " + base::SystemMessage(error));
}

// `status` is the result of stat or fstat, called right before.
base::Result<FileVersion> MakeVersion(const fs::path& path, int called, const struct stat& status) {
  if (called != 0) return SystemError(path, "read", errno);
  if (S_ISDIR(status.st_mode)) return SystemError(path, "read", EISDIR);
  if (!S_ISREG(status.st_mode)) {
    return MakeError(ErrorKind::kInvalidInput,
                     path.string() + ": is not a regular file and cannot be copied to scratch");
  }
  return FileVersion{status.st_size, status.st_mtim};
}

base::Status CheckUnchanged(const fs::path& from, const FileDescriptor& source,
                            const FileVersion& version) {
  struct stat status {};
  const int called = ::fstat(source.get(), &status);
  const auto now = MakeVersion(from, called, status);
  if (!now) return tl::unexpected(now.error());
  if (*now == version) return {};
  const std::string sizes = now->bytes == version.bytes
                                ? ""
                                : ": it had " + std::to_string(version.bytes) + " bytes and has " +
                                      std::to_string(now->bytes);
  return MakeError(ErrorKind::kIo, from.string() + ": changed while it was copied" + sizes);
}

// Fewer bytes than asked for only at the end of the file.
base::Result<size_t> ReadPiece(const fs::path& from, const FileDescriptor& source,
                               std::span<uint8_t> piece, int64_t offset) {
  const IoScope scope("read", from.native());
  size_t done = 0;
  while (done < piece.size()) {
    const ssize_t count = ::pread(source.get(), piece.data() + done, piece.size() - done,
                                  offset + static_cast<int64_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(from, "read", errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

base::Status WritePiece(const fs::path& to, const FileDescriptor& target,
                        std::span<const uint8_t> piece, int64_t offset) {
  const IoScope scope("write", to.native());
  const auto length = static_cast<int64_t>(piece.size());
  for (int64_t done = 0; done < length;) {
    const ssize_t count = ::pwrite(target.get(), piece.data() + done,
                                   static_cast<size_t>(length - done), offset + done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(to, "write", errno);
    done += count;
  }
  // Starts the writing to the device, so that little of it is left for Settle to wait for. Advice:
  // file systems that cannot do it write later.
  ::sync_file_range(target.get(), offset, length, SYNC_FILE_RANGE_WRITE);
  return {};
}

base::Status CopyBytes(const fs::path& from, const FileDescriptor& source, const fs::path& to,
                       const FileDescriptor& target, int64_t bytes, ByteBuffer& buffer,
                       const CountBytes& count, const std::stop_token& stop) {
  for (int64_t offset = 0; offset < bytes;) {
    if (stop.stop_requested()) {
      return MakeError(ErrorKind::kInterrupted, "stopped while copying the data set to scratch");
    }
    const auto wanted = static_cast<size_t>(std::min(kPieceBytes, bytes - offset));
    const std::span<uint8_t> piece = buffer.Reserve(wanted).first(wanted);
    const auto got = ReadPiece(from, source, piece, offset);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return {};  // it shrank, which CheckUnchanged will say
    const base::Status written = WritePiece(to, target, piece.first(*got), offset);
    if (!written) return written;
    count(static_cast<int64_t>(*got));
    offset += static_cast<int64_t>(*got);
  }
  return {};
}

}  // namespace

base::Result<FileVersion> VersionOf(const fs::path& file) {
  const IoScope scope("look up", file.native());
  struct stat status {};
  const int called = ::stat(file.c_str(), &status);
  return MakeVersion(file, called, status);
}

base::Status CopyFile(const fs::path& from, const FileVersion& version, const fs::path& part,
                      const fs::path& to, ByteBuffer& buffer, const CountBytes& count,
                      const std::stop_token& stop) {
  const IoScope scope("open", from.native());
  // It may have become a pipe meanwhile, which without O_NONBLOCK would hold the thread for good.
  const FileDescriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (source.get() < 0) return SystemError(from, "open", errno);
  if (auto same = CheckUnchanged(from, source, version); !same) return same;
  FileDescriptor target(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (target.get() < 0) return SystemError(to, "write", errno);
  ::posix_fadvise(source.get(), 0, 0, POSIX_FADV_SEQUENTIAL);  // doubles the readahead
  auto copied = CopyBytes(from, source, to, target, version.bytes, buffer, count, stop);
  if (!copied) return copied;
  if (auto same = CheckUnchanged(from, source, version); !same) return same;
  const timespec times[] = {version.modified, version.modified};
  if (::futimens(target.get(), times) != 0) return SystemError(to, "write", errno);
  if (const int error = target.Close(); error != 0) return SystemError(to, "write", error);
  if (std::rename(part.c_str(), to.c_str()) != 0) return SystemError(to, "write", errno);
  return {};
}

base::Status Settle(const fs::path& file, int64_t bytes) {
  const FileDescriptor copy(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (copy.get() < 0) return SystemError(file, "open", errno);
  struct stat status {};
  if (::fstat(copy.get(), &status) != 0) return SystemError(file, "read", errno);
  if (status.st_size != bytes) {
    return MakeError(ErrorKind::kIo, file.string() + ": was copied as " + std::to_string(bytes) +
                                         " bytes and has " + std::to_string(status.st_size));
  }
  if (::fsync(copy.get()) != 0) return SystemError(file, "write", errno);
  // Advice; only clean pages are dropped, and after fsync they are.
  ::posix_fadvise(copy.get(), 0, 0, POSIX_FADV_DONTNEED);
  return {};
}

}  // namespace fairlap::storage

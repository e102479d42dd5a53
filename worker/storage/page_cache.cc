#include "worker/storage/page_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <tuple>

#include "lib/base/random.h"
#include "worker/storage/io_watch.h"
#include "worker/storage/open_file.h"

namespace fairlap::storage {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;

int64_t PageBytes() {
  static const int64_t kBytes = sysconf(_SC_PAGESIZE);
  return kBytes;
}

FileFacts FactsOf(const struct stat& facts) {
  return {.device = facts.st_dev, .inode = facts.st_ino, .bytes = facts.st_size};
}

// Unlike fdatasync this sends no flush to the device, which clean files would cost as well.
void WaitUntilClean(int fd) {
  constexpr unsigned kWriteAndWait =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  if (::sync_file_range(fd, 0, 0, kWriteAndWait) != 0) ::fdatasync(fd);
}

}  // namespace

int64_t RoundUpToPages(int64_t bytes) {
  return (bytes + PageBytes() - 1) / PageBytes() * PageBytes();
}

base::Result<FileFacts> EvictFile(const char* path) {
  const IoScope scope("evict", path);
  const base::Result<OpenFile> file = OpenFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  WaitUntilClean(file->descriptor());
  const int failed = ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  if (failed != 0) return SystemError("drop the cached pages", failed);
  return FactsOf(file->facts());
}

base::Result<FileFacts> WarmFile(const char* path, ByteBuffer& buffer) {
  IoScope scope("read", path);
  const base::Result<OpenFile> file = OpenFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
  const std::span<uint8_t> piece = buffer.Reserve(kPieceBytes);
  for (off_t offset = 0;;) {
    const ssize_t count = ::pread(file->descriptor(), piece.data(), piece.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("read", errno);
    if (count == 0) return FactsOf(file->facts());
    offset += count;
    scope.Progress();
  }
}

base::Result<Residency> ProbePage(const char* path, int64_t page) {
  const IoScope scope("read", path);
  const base::Result<OpenFile> file = OpenFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  const int fd = file->descriptor();
  // Else readahead brings in pages around, and goes on with that after this has returned.
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
  char byte = 0;
  const iovec target{.iov_base = &byte, .iov_len = 1};
  const off_t offset = page * PageBytes();
  if (::preadv2(fd, &target, 1, offset, RWF_NOWAIT) >= 0) return Residency::kResident;
  if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return Residency::kUnknown;
  if (errno != EAGAIN) return SystemError("read", errno);
  // The page is on its way, and cannot be dropped before it has arrived.
  if (::pread(fd, &byte, 1, offset) < 0) return SystemError("read", errno);
  return Residency::kAbsent;
}

std::vector<PageSample> ChoosePages(std::span<const FileFacts> files, int64_t most, uint64_t seed) {
  std::vector<int64_t> candidates;
  for (int64_t i = 0; i < std::ssize(files); ++i) {
    if (files[static_cast<size_t>(i)].bytes > 0) candidates.push_back(i);
  }
  base::Random random(seed);
  base::Shuffle(std::span(candidates), random);
  candidates.resize(static_cast<size_t>(std::min(most, std::ssize(candidates))));
  std::vector<PageSample> pages;
  for (const int64_t file : candidates) {
    const int64_t count = RoundUpToPages(files[static_cast<size_t>(file)].bytes) / PageBytes();
    pages.push_back({.file = file, .page = random.Between(0, count - 1)});
  }
  return pages;
}

DistinctBytes CountDistinct(std::vector<FileFacts> files) {
  const auto key = [](const FileFacts& file) { return std::tuple(file.device, file.inode); };
  std::ranges::sort(files, {}, key);
  const auto repeated = std::ranges::unique(files, {}, key);
  files.erase(repeated.begin(), repeated.end());
  DistinctBytes distinct;
  for (const FileFacts& file : files) {
    distinct.bytes += file.bytes;
    distinct.page_bytes += RoundUpToPages(file.bytes);
  }
  return distinct;
}

}  // namespace fairlap::storage

// The page cache's part in reading files: taking them out of it, bringing them in, and finding out
// what it holds. Works for a process that may only read the files and does not own them: mincore
// tells such a process that every page is resident, and cachestat refuses it, so that neither is
// used. All functions may be called from several threads at once. Errors carry the system's reason
// and no path, which the caller has.
#ifndef FAIRLAP_WORKER_STORAGE_PAGE_CACHE_H_
#define FAIRLAP_WORKER_STORAGE_PAGE_CACHE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/result.h"
#include "worker/storage/byte_buffer.h"

namespace fairlap::storage {

// `bytes` rounded up to whole pages of memory: what the page cache holds and fetches.
int64_t RoundUpToPages(int64_t bytes);

// Which file a path leads to, and its size.
struct FileFacts {
  uint64_t device = 0, inode = 0;
  int64_t bytes = 0;
};

// Waits until what was written to the file has reached the device, since only clean pages can be
// dropped, and drops them. Advice: pages that someone has mapped or is reading just now stay.
base::Result<FileFacts> EvictFile(const char* path);

// Reads the file once, whole.
base::Result<FileFacts> WarmFile(const char* path, ByteBuffer& buffer);

enum class Residency { kResident, kAbsent, kUnknown };  // kUnknown: the file system does not tell

// Whether the page cache holds that page of the file. Asking brings an absent page in, and no other
// one; it is there when this returns, so that EvictFile can drop it again.
base::Result<Residency> ProbePage(const char* path, int64_t page);

// A page of one file.
struct PageSample {
  int64_t file = 0;  // index
  int64_t page = 0;
};

// Up to `most` pages in as many distinct, not empty files: the files without replacement, the page
// of each uniformly. The same for the same seed.
std::vector<PageSample> ChoosePages(std::span<const FileFacts> files, int64_t most, uint64_t seed);

// The bytes of the files, each counted once, however often and by whatever links it is listed.
struct DistinctBytes {
  int64_t bytes = 0;
  int64_t page_bytes = 0;  // every file rounded up to whole pages
};
DistinctBytes CountDistinct(std::vector<FileFacts> files);

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_PAGE_CACHE_H_

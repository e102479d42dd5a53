// Whether the page cache was in the state that was asked for, judged from what was observed. Pure;
// the definition is docs/measurement.md's, "Cache state".
#ifndef FAIRLAP_WORKER_MEASURE_CACHE_STATE_H_
#define FAIRLAP_WORKER_MEASURE_CACHE_STATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/api/figures.h"
#include "lib/api/spec_storage.h"

namespace fairlap::measure {

// How it is known what was really fetched from a file system.
enum class FetchCounting {
  kNone,    // nobody tells, or it was never tried: no state is verified
  kDevice,  // whole pages, by thread: read_bytes of /proc
  kServer,  // the files' own bytes, by mount: /proc/self/mountstats
};
FetchCounting CountingOf(std::string_view file_system);

// Pages in distinct files, looked for after the working set had been evicted.
struct PageSamples {
  int64_t probed = 0;    // of which the file system told whether they are resident
  int64_t resident = 0;  // of those
};
inline constexpr int64_t kMostPageSamples = 300;

struct CacheEvidence {
  api::Cache asked = api::Cache::kAsIs;
  int64_t files = 0;  // of the working set; 0: the samples are held in memory
  std::string file_system;
  bool one_file_system = true;        // all files lie on it
  std::optional<PageSamples> sample;  // of a cold cache
  // In the first pass over the working set so far, in the bytes that its FetchCounting counts. A
  // byte of a file that was asked for twice counts once.
  int64_t requested_bytes = 0;  // 0: the pass is not over yet
  std::optional<int64_t> fetched_bytes;
};

struct CacheVerdict {
  api::CacheState state = api::CacheState::kUnverified;
  std::string reason;  // what shows it, or what is missing; "" for asIs
};

// cold: none of the sampled pages was resident, and 99 to 120 % of the bytes were fetched. NFS
// tells of no page, so there the second alone decides, which is about every byte. warm: at most 1 %
// were fetched. Whatever cannot be shown is `unverified`.
CacheVerdict JudgeCache(const CacheEvidence& evidence);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_CACHE_STATE_H_

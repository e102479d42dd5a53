#include "worker/train/cache_control.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <utility>
#include <vector>

#include "worker/measure/environment.h"
#include "worker/measure/process.h"

namespace fairlap::train {
namespace {

using measure::FetchCounting;
using storage::FileFacts;

// Calls work(i, buffer) for every i in [0, count), from several threads.
template <class Work>
base::Status ForEach(int64_t count, int64_t threads, const std::stop_token& stop,
                     const Work& work) {
  std::atomic<int64_t> next{0};
  const auto run = [&] {
    storage::ByteBuffer buffer;
    for (int64_t i = next++; i < count && !stop.stop_requested(); i = next++) work(i, buffer);
  };
  std::vector<std::future<void>> running;
  for (int64_t i = 0; i < std::min(threads, count); ++i) {
    running.push_back(std::async(std::launch::async, run));
  }
  for (std::future<void>& one : running) one.get();
  if (!stop.stop_requested()) return {};
  return base::MakeError(base::ErrorKind::kInterrupted, "stopped while preparing the page cache");
}

}  // namespace

CacheControl::CacheControl(WorkingSet files, const CacheOptions& options, Observer& observer,
                           const base::Clock& clock)
    : files_(std::move(files)), options_(options), observer_(observer), clock_(clock) {
  evidence_.asked = options.cache;
  evidence_.files = files_.files();
}

base::Status CacheControl::Prepare(const std::stop_token& stop) {
  if (options_.cache != api::Cache::kAsIs) {
    observer_.OnPhase(Phase::kPreparingCache);
    const base::SteadyTime start = clock_.Now();
    if (auto changed = ChangeState(stop); !changed) return changed;
    prepare_seconds_ = base::Seconds(clock_.Now() - start).count();
    observer_.OnMark(Mark::kCachePrepared);
  }
  Tell();
  return {};
}

base::Status CacheControl::ChangeState(const std::stop_token& stop) {
  std::vector<FileFacts> facts(static_cast<size_t>(files_.files()));
  if (options_.cache == api::Cache::kCold) {
    if (auto evicted = EvictUntilAbsent(facts, stop); !evicted) return evicted;
  } else {
    const auto warm = [&](int64_t file, storage::ByteBuffer& buffer) {
      const auto read = storage::WarmFile(files_.Path(file).c_str(), buffer);
      if (read) facts[static_cast<size_t>(file)] = *read;
    };
    if (auto read = ForEach(files_.files(), options_.threads, stop, warm); !read) return read;
  }
  Describe(facts);
  return {};
}

// A page that has only just been written out may be held for a moment, and is then not dropped.
base::Status CacheControl::EvictUntilAbsent(std::vector<FileFacts>& facts,
                                            const std::stop_token& stop) {
  constexpr int kMostRounds = 3;
  const auto evict = [&](int64_t file, storage::ByteBuffer&) {
    const auto evicted = storage::EvictFile(files_.Path(file).c_str());
    if (evicted) facts[static_cast<size_t>(file)] = *evicted;
  };
  for (int round = 0; round < kMostRounds; ++round) {
    auto evicted = ForEach(files_.files(), options_.threads, stop, evict);
    if (!evicted) return evicted;
    const auto sample = ProbeAndEvict(facts, stop);
    if (!sample) return tl::unexpected(sample.error());
    evidence_.sample = *sample;
    if (sample->resident == 0) break;
  }
  return {};
}

base::Result<measure::PageSamples> CacheControl::ProbeAndEvict(const std::vector<FileFacts>& facts,
                                                               const std::stop_token& stop) {
  const auto pages = storage::ChoosePages(facts, measure::kMostPageSamples, options_.seed);
  std::atomic<int64_t> probed{0}, resident{0};
  const auto probe = [&](int64_t i, storage::ByteBuffer&) {
    const storage::PageSample& page = pages[static_cast<size_t>(i)];
    const std::string path = files_.Path(page.file);
    const auto found = storage::ProbePage(path.c_str(), page.page);
    if (!found || *found == storage::Residency::kUnknown) return;
    ++probed;
    if (*found == storage::Residency::kResident) ++resident;
    // Looking brought the page in. Whether it went again is part of what the fetched bytes show.
    (void)storage::EvictFile(path.c_str());
  };
  auto done = ForEach(std::ssize(pages), options_.threads, stop, probe);
  if (!done) return tl::unexpected(done.error());
  return measure::PageSamples{.probed = probed, .resident = resident};
}

void CacheControl::Describe(const std::vector<FileFacts>& facts) {
  if (facts.empty()) return;
  std::set<uint64_t> devices;
  for (const FileFacts& file : facts) {
    if (file.bytes > 0) devices.insert(file.device);
  }
  evidence_.one_file_system = devices.size() <= 1;
  const auto mount = measure::ObserveMount(files_.Path(0));
  evidence_.file_system = mount ? mount->file_system : measure::kUnknown;
  if (mount) mount_point_ = mount->mount_point;
  distinct_ = storage::CountDistinct(facts);
}

void CacheControl::BeginPass() {
  if (CountedByServer()) server_bytes_before_ = measure::ServerReadBytes(mount_point_);
}

bool CacheControl::CountedByServer() const {
  return measure::CountingOf(evidence_.file_system) == FetchCounting::kServer;
}

std::optional<int64_t> CacheControl::SentByServer() const {
  const auto now = measure::ServerReadBytes(mount_point_);
  if (!now || !server_bytes_before_) return std::nullopt;
  return *now - *server_bytes_before_;
}

void CacheControl::EndPass(const data::FirstPass& pass) {
  if (options_.cache == api::Cache::kAsIs) return;
  const bool by_server = CountedByServer();
  const auto fetched = by_server ? SentByServer() : pass.fetched_bytes;
  passes_.bytes += pass.bytes;
  passes_.page_bytes += pass.page_bytes;
  evidence_.requested_bytes = by_server ? std::min(passes_.bytes, distinct_.bytes)
                                        : std::min(passes_.page_bytes, distinct_.page_bytes);
  // One pass of which nobody tells, and nobody tells of all.
  passes_.fetched_bytes = passes_.fetched_bytes && fetched
                              ? std::optional(*passes_.fetched_bytes + *fetched)
                              : std::nullopt;
  evidence_.fetched_bytes = passes_.fetched_bytes;
  Tell();
}

void CacheControl::Tell() {
  measure::CacheVerdict verdict = measure::JudgeCache(evidence_);
  observer_.OnCache({.state = verdict.state,
                     .reason = std::move(verdict.reason),
                     .prepare_seconds = prepare_seconds_});
}

}  // namespace fairlap::train

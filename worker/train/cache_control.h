// Brings the page cache into the state that storage.cache asks for, and finds out whether it was.
// Definition: docs/measurement.md, "Cache state". Links no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_CACHE_CONTROL_H_
#define FAIRLAP_WORKER_TRAIN_CACHE_CONTROL_H_

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "lib/api/spec_storage.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "worker/data/pipeline.h"
#include "worker/measure/cache_state.h"
#include "worker/storage/page_cache.h"
#include "worker/train/observer.h"
#include "worker/train/working_set.h"

namespace fairlap::train {

struct CacheOptions {
  api::Cache cache = api::Cache::kAsIs;
  uint64_t seed = 0;    // of the sampled pages
  int64_t threads = 8;  // that evict or warm: most of their time they wait for the storage
};

// Used by the training thread; tells `observer` phase, mark and state.
class CacheControl {
 public:
  // `observer` and `clock` must outlive this.
  CacheControl(WorkingSet files, const CacheOptions& options, Observer& observer,
               const base::Clock& clock = base::SystemClock());

  // asIs: leaves everything alone. Else evicts the working set, or reads it once. A file that
  // cannot be opened is left to the pipeline, which has a rule for it. Errors: kInterrupted.
  base::Status Prepare(const std::stop_token& stop);

  // Around the first time that files are read, of the training and of the validation split: before
  // their pipeline is made, and once the pass is over. Then the state so far is told.
  void BeginPass();
  void EndPass(const data::FirstPass& pass);

 private:
  base::Status ChangeState(const std::stop_token& stop);
  base::Status EvictUntilAbsent(std::vector<storage::FileFacts>& facts,
                                const std::stop_token& stop);
  base::Result<measure::PageSamples> ProbeAndEvict(const std::vector<storage::FileFacts>& facts,
                                                   const std::stop_token& stop);
  bool CountedByServer() const;
  std::optional<int64_t> SentByServer() const;  // since BeginPass
  void Describe(const std::vector<storage::FileFacts>& facts);
  void Tell();

  const WorkingSet files_;
  const CacheOptions options_;
  Observer& observer_;
  const base::Clock& clock_;
  measure::CacheEvidence evidence_;
  std::string mount_point_;
  std::optional<double> prepare_seconds_;
  storage::DistinctBytes distinct_;
  data::FirstPass passes_{.bytes = 0, .page_bytes = 0, .fetched_bytes = 0};  // added up
  std::optional<int64_t> server_bytes_before_;
};

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_CACHE_CONTROL_H_

// Proves that every sample of an epoch was seen once. Links no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_SAMPLE_LEDGER_H_
#define FAIRLAP_WORKER_TRAIN_SAMPLE_LEDGER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fairlap::train {

class SampleLedger {
 public:
  explicit SampleLedger(int64_t samples) : seen_(static_cast<size_t>(samples)) {}

  // The samples of one batch; each is in [0, samples).
  void Note(std::span<const int64_t> indices);

  // The epoch is whole; `bad_files` of the data set are known to be unreadable and may be missing.
  void EndEpoch(int64_t bad_files);

  // Over all whole epochs; nullopt before the first is whole, unless one was seen twice already.
  std::optional<bool> every_sample_once() const;

 private:
  std::vector<bool> seen_;  // in this epoch
  int64_t seen_count_ = 0;
  int64_t whole_epochs_ = 0;
  bool violated_ = false;
};

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_SAMPLE_LEDGER_H_

// Which samples a batch holds: a pure function of size, seed and number of the batch.
#ifndef FAIRLAP_WORKER_DATA_SAMPLE_ORDER_H_
#define FAIRLAP_WORKER_DATA_SAMPLE_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

namespace fairlap::data {

// Each epoch is a permutation of all samples, cut into batches; the last one of an epoch may be
// smaller. Batches count over epochs. Samples()
// is for one thread at a time; the other members may be called at any time.
class SampleOrder {
 public:
  // `size` and `batch_size` are at least 1.
  SampleOrder(int64_t size, int64_t batch_size, uint64_t seed, bool shuffle);

  int64_t batches_per_epoch() const { return batches_per_epoch_; }
  int64_t EpochOf(int64_t batch) const { return batch / batches_per_epoch_; }
  bool IsLastOfEpoch(int64_t batch) const { return (batch + 1) % batches_per_epoch_ == 0; }
  int64_t SizeOf(int64_t batch) const;
  // Valid until the next call. Cheap as long as `batch` stays in one epoch.
  std::span<const int64_t> Samples(int64_t batch);

 private:
  void SetEpoch(int64_t epoch);

  const int64_t batch_size_;
  const int64_t batches_per_epoch_;
  const uint64_t seed_;
  const bool shuffle_;
  int64_t epoch_ = -1;
  std::vector<int64_t> samples_;
};

// Seeds the augmentation of one sample in one epoch.
uint64_t AugmentationSeed(uint64_t seed, int64_t epoch, int64_t index);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_SAMPLE_ORDER_H_

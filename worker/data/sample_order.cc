#include "worker/data/sample_order.h"

#include <algorithm>
#include <numeric>

#include "lib/base/random.h"

namespace fairlap::data {
namespace {

// Keeps the two uses of one seed apart.
constexpr uint64_t kShuffleSalt = 0x73687566666c65, kAugmentSalt = 0x6175676d656e74;

uint64_t EpochSeed(uint64_t seed, uint64_t salt, int64_t epoch) {
  return base::MixSeeds(base::MixSeeds(seed, salt), static_cast<uint64_t>(epoch));
}

}  // namespace

SampleOrder::SampleOrder(int64_t size, int64_t batch_size, uint64_t seed, bool shuffle)
    : batch_size_(batch_size),
      batches_per_epoch_((size + batch_size - 1) / batch_size),
      seed_(seed),
      shuffle_(shuffle),
      samples_(static_cast<size_t>(size)) {}

int64_t SampleOrder::SizeOf(int64_t batch) const {
  const int64_t first = batch % batches_per_epoch_ * batch_size_;
  return std::min(batch_size_, std::ssize(samples_) - first);
}

std::span<const int64_t> SampleOrder::Samples(int64_t batch) {
  if (EpochOf(batch) != epoch_) SetEpoch(EpochOf(batch));
  const int64_t first = batch % batches_per_epoch_ * batch_size_;
  return std::span<const int64_t>(samples_).subspan(static_cast<size_t>(first),
                                                    static_cast<size_t>(SizeOf(batch)));
}

void SampleOrder::SetEpoch(int64_t epoch) {
  epoch_ = epoch;
  std::iota(samples_.begin(), samples_.end(), 0);
  if (!shuffle_) return;
  base::Random random(EpochSeed(seed_, kShuffleSalt, epoch));
  base::Shuffle(std::span(samples_), random);
}

uint64_t AugmentationSeed(uint64_t seed, int64_t epoch, int64_t index) {
  return base::MixSeeds(EpochSeed(seed, kAugmentSalt, epoch), static_cast<uint64_t>(index));
}

}  // namespace fairlap::data

// Percentiles of an image, exact because its values are counted and not sorted.
#ifndef FAIRLAP_WORKER_DATA_PERCENTILES_H_
#define FAIRLAP_WORKER_DATA_PERCENTILES_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "worker/data/gray_image.h"

namespace fairlap::data {

// Reused from image to image; one thread at a time. 256 KiB once it has counted anything.
class Histogram {
 public:
  // Forgets what it counted before. At most kMaxGrayBytes of values.
  void Count(const GrayImage& image);
  void Count(std::span<const uint16_t> values);

  int64_t count() const { return count_; }
  // The value at `rank`, in [0, count()), of the sorted values.
  int64_t ValueAt(int64_t rank) const;
  // numpy.percentile(values, percent), that is with its default method "linear": at rank
  // (count - 1) * percent / 100, between the two nearest values. 0 <= percent <= 100.
  double Percentile(double percent) const;

 private:
  static constexpr int64_t kBlock = 256;

  template <class T>
  void CountValues(std::span<const T> values);

  std::vector<uint32_t> bins_;
  std::array<uint32_t, 65'536 / kBlock> blocks_{};  // sums of kBlock bins each
  int64_t count_ = 0;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PERCENTILES_H_

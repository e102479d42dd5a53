#include "worker/data/percentiles.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace fairlap::data {

template <class T>
void Histogram::CountValues(std::span<const T> values) {
  bins_.assign(65'536, 0);
  for (const T value : values) ++bins_[value];
  constexpr size_t kBlocks = (std::numeric_limits<T>::max() + int64_t{1}) / kBlock;
  for (size_t block = 0; block < kBlocks; ++block) {
    const auto first = bins_.begin() + static_cast<int64_t>(block) * kBlock;
    blocks_[block] = std::accumulate(first, first + kBlock, uint32_t{0});
  }
  count_ = std::ssize(values);
}

void Histogram::Count(std::span<const uint16_t> values) { CountValues(values); }

void Histogram::Count(const GrayImage& image) {
  if (image.bytes_per_pixel == 1) {
    CountValues(image.pixels);
  } else {
    CountValues(
        std::span(reinterpret_cast<const uint16_t*>(image.pixels.data()), image.pixels.size() / 2));
  }
}

int64_t Histogram::ValueAt(int64_t rank) const {
  size_t block = 0;
  for (; rank >= blocks_[block]; ++block) rank -= blocks_[block];
  size_t value = block * kBlock;
  for (; rank >= bins_[value]; ++value) rank -= bins_[value];
  return static_cast<int64_t>(value);
}

double Histogram::Percentile(double percent) const {
  const double position = static_cast<double>(count_ - 1) * (percent / 100);
  const double below = std::floor(position);
  const auto rank = static_cast<int64_t>(below);
  const auto low = static_cast<double>(ValueAt(rank));
  const double high = rank + 1 < count_ ? static_cast<double>(ValueAt(rank + 1)) : low;
  // From the nearer of the two, as numpy does.
  const double part = position - below;
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part);
}

}  // namespace fairlap::data

#include "worker/data/resize.h"

#include <algorithm>
#include <cmath>

namespace fairlap::data {
namespace {

// Four channels at once; arithmetic on it is plain C++ to GCC and Clang on every machine.
using Float4 = float __attribute__((vector_size(16), may_alias));

// The same loops compiled for wider vectors, chosen when the program starts. Contraction is off for
// this file, so every version gives the same bits. Sanitizers cannot run before the choice is made.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define FAIRLAP_WIDE_VECTORS __attribute__((target_clones("default", "arch=haswell")))
#else
#define FAIRLAP_WIDE_VECTORS
#endif

FAIRLAP_WIDE_VECTORS
void BlendTwo(const uint8_t* __restrict first, const uint8_t* __restrict second, float a, float b,
              int64_t count, float* __restrict out) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] = a * static_cast<float>(first[i]) + b * static_cast<float>(second[i]);
  }
}

FAIRLAP_WIDE_VECTORS
void AddTwo(const uint8_t* __restrict first, const uint8_t* __restrict second, float a, float b,
            int64_t count, float* __restrict out) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] += a * static_cast<float>(first[i]) + b * static_cast<float>(second[i]);
  }
}

double Triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

void PutWeights(int64_t low, int64_t high, double centre, double support, float* weights) {
  const auto raw = [=](int64_t x) {
    return Triangle((static_cast<double>(x) + 0.5 - centre) / support);
  };
  double sum = 0;
  for (int64_t x = low; x < high; ++x) sum += raw(x);
  for (int64_t x = low; x < high; ++x) weights[x - low] = static_cast<float>(raw(x) / sum);
}

}  // namespace

void MakeAxisFilter(const AxisMap& map, int64_t target_size, AxisFilter& filter) {
  const double scale = map.box_size / static_cast<double>(target_size);
  const double support = std::max(scale, 1.0);
  const int64_t taps = std::min(2 * (static_cast<int64_t>(std::ceil(support)) + 1),
                                map.source_size + map.source_size % 2);
  filter.taps = taps;
  filter.starts.resize(target_size);
  filter.counts.resize(target_size);
  filter.weights.assign(target_size * taps, 0.0F);
  for (int64_t i = 0; i < target_size; ++i) {
    const double centre = map.box_start + (static_cast<double>(i) + 0.5) * scale;
    const int64_t low = std::max(map.low, static_cast<int64_t>(centre - support + 0.5));
    const int64_t high = std::min(map.high, static_cast<int64_t>(centre + support + 0.5));
    const int64_t start = std::clamp<int64_t>(map.source_size - taps, 0, low);
    filter.starts[i] = static_cast<int32_t>(start);
    filter.counts[i] = static_cast<int32_t>(high - start);
    PutWeights(low, high, centre, support, filter.weights.data() + i * taps + (low - start));
  }
}

Normalisation MakeNormalisation(const std::array<float, 3>& mean,
                                const std::array<float, 3>& deviation) {
  Normalisation result{};
  for (size_t c = 0; c < 3; ++c) {
    result.scale[c] = 1.0F / (255.0F * deviation[c]);
    result.offset[c] = -mean[c] / deviation[c];
  }
  return result;
}

void Resizer::Start(const AxisMap& horizontal, const AxisMap& vertical, int64_t size,
                    const TargetLayout& layout) {
  MakeAxisFilter(horizontal, size, horizontal_);
  MakeAxisFilter(vertical, size, vertical_);
  layout_ = layout;
  size_ = size;
  next_v_ = 0;
  row_bytes_ = 4 * horizontal.source_size;
  ring_rows_ = vertical_.taps + RowsAhead();
  ring_ = ring_bytes_.Reserve(static_cast<size_t>(row_bytes_ * ring_rows_)).data();
  // The last tap may lie one pixel beyond a row of an odd width; its weight is 0.
  blended_.assign(static_cast<size_t>(row_bytes_ + 4), 0.0F);
}

uint8_t* Resizer::RowSlot(int64_t row) { return ring_ + row % ring_rows_ * row_bytes_; }

void Resizer::RowsReady(int64_t rows, const Normalisation& normalisation, std::span<float> target) {
  for (; next_v_ < size_; ++next_v_) {
    if (vertical_.starts[next_v_] + vertical_.counts[next_v_] > rows) return;
    BlendRow(next_v_);
    WriteRow(next_v_, normalisation, target.data());
  }
}

void Resizer::BlendRow(int64_t v) {
  const float* weights = vertical_.weights.data() + v * vertical_.taps;
  const int64_t start = vertical_.starts[v];
  // Two rows at a time; where the count is odd the last weight is 0 and the row does not matter.
  for (int64_t k = 0; k < vertical_.counts[v]; k += 2) {
    const auto blend = k == 0 ? BlendTwo : AddTwo;
    blend(RowSlot(start + k), RowSlot(start + k + 1), weights[k], weights[k + 1], row_bytes_,
          blended_.data());
  }
}

void Resizer::WriteRow(int64_t v, const Normalisation& normalisation, float* target) const {
  const Float4 scale = {normalisation.scale[0], normalisation.scale[1], normalisation.scale[2], 0};
  const Float4 offset = {normalisation.offset[0], normalisation.offset[1], normalisation.offset[2],
                         0};
  const auto* pixels = reinterpret_cast<const Float4*>(blended_.data());
  float* out = target + layout_.origin + v * layout_.step_v;
  const float* weights = horizontal_.weights.data();
  for (int64_t u = 0; u < size_; ++u, out += layout_.step_u, weights += horizontal_.taps) {
    const Float4* source = pixels + horizontal_.starts[u];
    Float4 sum = {};
    for (int64_t k = 0; k < horizontal_.taps; ++k) sum += weights[k] * source[k];
    const Float4 value = sum * scale + offset;
    for (int c = 0; c < 3; ++c) out[c * layout_.step_c] = value[c];
  }
}

}  // namespace fairlap::data

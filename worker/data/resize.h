// A separable, antialiased, bilinear resize of a rectangle of an image, fed row by row, straight
// into a normalised float sample. The filter is a triangle, widened by the scale when shrinking, as
// Pillow's BILINEAR and torchvision's antialias=True; no rounding to 8 bits in between.
#ifndef FAIRLAP_WORKER_DATA_RESIZE_H_
#define FAIRLAP_WORKER_DATA_RESIZE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "worker/storage/byte_buffer.h"

namespace fairlap::data {

// One axis of source and target: of `source_size` pixels those in [low, high) may be used, and the
// box, in pixels and fractions, becomes the target.
struct AxisMap {
  int64_t source_size = 0;
  int64_t low = 0, high = 0;
  double box_start = 0, box_size = 0;
};

// Target pixel i is the sum of weights[i * taps + k] * source[starts[i] + k], where k < counts[i];
// the weights beyond are 0. Each pixel's weights sum to 1. `taps` is even.
struct AxisFilter {
  int64_t taps = 0;
  std::vector<int32_t> starts, counts;
  std::vector<float> weights;
};

void MakeAxisFilter(const AxisMap& map, int64_t target_size, AxisFilter& filter);

// Where the target pixel (u, v), channel c, is written: origin + u * step_u + v * step_v + c *
// step_c. Flips, transposition and channel order are all a matter of these four.
struct TargetLayout {
  int64_t origin = 0, step_u = 0, step_v = 0, step_c = 0;
};

struct Normalisation {
  std::array<float, 3> scale, offset;  // written value = scale * (0 to 255) + offset
};

// Of values 0 to 255, to zero `mean` and unit `deviation`, which are for values 0 to 1.
Normalisation MakeNormalisation(const std::array<float, 3>& mean,
                                const std::array<float, 3>& deviation);

// Reused from image to image; one thread at a time.
class Resizer {
 public:
  // Rows are 4 bytes a pixel. The target is `size` x `size`.
  void Start(const AxisMap& horizontal, const AxisMap& vertical, int64_t size,
             const TargetLayout& layout);

  // Rows come in order. RowSlot is where row number `row` is to be put; then call RowsReady with
  // how many rows are there. Rows that are needed no more are overwritten: at most RowsAhead() may
  // be there that RowsReady has not been told of.
  static constexpr int64_t RowsAhead() { return 16; }
  uint8_t* RowSlot(int64_t row);
  void RowsReady(int64_t rows, const Normalisation& normalisation, std::span<float> target);

 private:
  void BlendRow(int64_t v);
  void WriteRow(int64_t v, const Normalisation& normalisation, float* target) const;

  AxisFilter horizontal_, vertical_;
  TargetLayout layout_;
  int64_t size_ = 0;
  int64_t row_bytes_ = 0;
  int64_t ring_rows_ = 0;
  int64_t next_v_ = 0;  // the first target row not yet written
  storage::ByteBuffer ring_bytes_;
  uint8_t* ring_ = nullptr;
  std::vector<float> blended_;  // one row: the vertical filter's result
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_RESIZE_H_

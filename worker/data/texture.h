// Patterns that tell the classes of generated data sets apart, on integers alone. Each looks the
// same, or like another of its own class, in the mirror.
#ifndef FAIRLAP_WORKER_DATA_TEXTURE_H_
#define FAIRLAP_WORKER_DATA_TEXTURE_H_

#include <array>
#include <cstdint>

#include "lib/base/random.h"

namespace fairlap::data {

enum class Pattern { kRows, kColumns, kDiagonals, kChecks, kRings };
inline constexpr int64_t kPatternCount = 5;

// A sine to within 6 %: `position` in turns of 1024, from 0 on; value -256 to 256.
int64_t Wave(int64_t position);

struct Texture {
  Pattern pattern = Pattern::kRows;
  int64_t pitch = 2048;              // of one light and one dark band, in 1/256 pixel; at least 512
  int64_t shift_x = 0, shift_y = 0;  // whole pixels; the centre of the rings
  bool mirrored = false;             // diagonals lean the other way
};

// From -256 (dark) to 256 (light).
int64_t TextureAt(const Texture& texture, int64_t x, int64_t y);

using Colour = std::array<int64_t, 3>;  // red, green, blue; 0 to 255

// The colour between `dark` (level -256) and `light` (level 256).
Colour Mix(const Colour& dark, const Colour& light, int64_t level);

// Two colours that differ by 80 to 160 in brightness, either of them the lighter.
std::array<Colour, 2> DrawColours(base::Random& random);

// Smooth noise of -`amplitude` to `amplitude`: random values on a grid of `cell` pixels,
// interpolated.
class SmoothNoise {
 public:
  static constexpr int64_t kPeriod = 64;  // cells, after which it repeats

  SmoothNoise(int64_t cell, int64_t amplitude, base::Random& random);
  int64_t At(int64_t x, int64_t y) const;

 private:
  int64_t Node(int64_t x, int64_t y) const;

  int64_t cell_;
  std::array<int16_t, kPeriod * kPeriod> nodes_;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_TEXTURE_H_

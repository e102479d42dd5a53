#include "worker/data/resize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/base/random.h"
#include "worker/data/crop.h"

namespace fairlap::data {
namespace {

constexpr Normalisation kIdentity{{1, 1, 1}, {0, 0, 0}};

struct Source {
  int64_t width, height;
  std::vector<uint8_t> pixels;  // 4 bytes each
};

Source RandomSource(int64_t width, int64_t height) {
  Source source{width, height, std::vector<uint8_t>(static_cast<size_t>(4 * width * height))};
  base::Random random(17);
  for (uint8_t& value : source.pixels) value = static_cast<uint8_t>(random.Below(256));
  return source;
}

AxisMap WholeAxis(int64_t size) { return {size, 0, size, 0, static_cast<double>(size)}; }

std::vector<float> Resize(const Source& source, const AxisMap& horizontal, const AxisMap& vertical,
                          int64_t size, const TargetLayout& layout) {
  std::vector<float> target(static_cast<size_t>(3 * size * size));
  Resizer resizer;
  resizer.Start(horizontal, vertical, size, layout);
  for (int64_t y = 0; y < source.height; ++y) {
    std::copy_n(source.pixels.data() + 4 * source.width * y, 4 * source.width, resizer.RowSlot(y));
    const bool now = (y + 1) % Resizer::RowsAhead() == 0 || y + 1 == source.height;
    if (now) resizer.RowsReady(y + 1, kIdentity, target);
  }
  return target;
}

std::vector<float> Resize(const Source& source, int64_t size) {
  return Resize(source, WholeAxis(source.width), WholeAxis(source.height), size,
                MakeTargetLayout({}, false, size, ChannelLayout::kInterleaved));
}

// The definition, pixel by pixel: a triangle over the allowed source pixels, weights summing to 1.
double Reference(const Source& source, const AxisMap& h, const AxisMap& v, int64_t size, int64_t u,
                 int64_t w, int64_t c) {
  const auto weight = [size](const AxisMap& map, int64_t target, int64_t at) {
    const double scale = map.box_size / static_cast<double>(size);
    const double centre = map.box_start + (static_cast<double>(target) + 0.5) * scale;
    const double distance = (static_cast<double>(at) + 0.5 - centre) / std::max(scale, 1.0);
    return std::max(0.0, 1 - std::abs(distance));
  };
  double sum = 0, weights = 0;
  for (int64_t y = v.low; y < v.high; ++y) {
    for (int64_t x = h.low; x < h.high; ++x) {
      const double k = weight(h, u, x) * weight(v, w, y);
      sum += k * source.pixels[static_cast<size_t>(4 * (y * source.width + x) + c)];
      weights += k;
    }
  }
  return sum / weights;
}

TEST(Resizer, EqualsItsDefinitionWhenShrinkingAndGrowing) {
  const struct {
    int64_t width, height, size;
  } kCases[] = {{61, 47, 8}, {40, 97, 16}, {9, 11, 24}, {16, 16, 16},
                {1, 1, 4},   {3, 2, 7},    {2, 64, 5}};
  for (const auto& sizes : kCases) {
    const Source source = RandomSource(sizes.width, sizes.height);
    const auto pixels = Resize(source, sizes.size);
    for (int64_t v = 0; v < sizes.size; ++v) {
      for (int64_t u = 0; u < sizes.size; ++u) {
        for (int64_t c = 0; c < 3; ++c) {
          ASSERT_NEAR(pixels[static_cast<size_t>((v * sizes.size + u) * 3 + c)],
                      Reference(source, WholeAxis(sizes.width), WholeAxis(sizes.height), sizes.size,
                                u, v, c),
                      2e-3)
              << sizes.width << " x " << sizes.height << " to " << sizes.size;
        }
      }
    }
  }
}

TEST(Resizer, MapsAPartWithFractionalEdgesWithoutLookingBeyondItsLimits) {
  const Source source = RandomSource(50, 44);
  const AxisMap h{50, 3, 40, 3.25, 36.5}, v{44, 7, 31, 7.5, 23.0};
  const auto pixels =
      Resize(source, h, v, 10, MakeTargetLayout({}, false, 10, ChannelLayout::kPlanar));
  for (int64_t w = 0; w < 10; ++w) {
    for (int64_t u = 0; u < 10; ++u) {
      for (int64_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(pixels[static_cast<size_t>((c * 10 + w) * 10 + u)],
                    Reference(source, h, v, 10, u, w, c), 2e-3);
      }
    }
  }
}

TEST(Resizer, AveragesAHalfSizeRampAsPillowDoes) {
  // Pillow 9.4: Image.linear_gradient-like row 0, 10, ..., 70, resized to 4 with BILINEAR,
  // unrounded.
  Source source{8, 8, std::vector<uint8_t>(4 * 64)};
  for (size_t i = 0; i < 64; ++i) std::fill_n(source.pixels.begin() + 4 * i, 3, 10 * (i % 8));
  const auto pixels = Resize(source, 4);
  // Weights 1/8 3/8 3/8 1/8, renormalised at the border: (3*0 + 3*10 + 1*20) / 7.
  EXPECT_NEAR(pixels[0], 50.0 / 7, 1e-4);
  EXPECT_NEAR(pixels[3], 25.0, 1e-4);
  EXPECT_NEAR(pixels[6], 45.0, 1e-4);
  EXPECT_NEAR(pixels[9], 70 - 50.0 / 7, 1e-4);
}

TEST(Resizer, KeepsAFlatImageFlat) {
  Source source{333, 217, std::vector<uint8_t>(4 * 333 * 217, 200)};
  for (const float value : Resize(source, 64)) ASSERT_NEAR(value, 200.0F, 1e-3F);
}

TEST(MakeNormalisation, MapsMeanToZeroAndOneDeviationToOne) {
  const Normalisation n = MakeNormalisation({0.5F, 0.25F, 0.0F}, {0.5F, 0.25F, 1.0F});
  EXPECT_NEAR(127.5F * n.scale[0] + n.offset[0], 0, 1e-6);
  EXPECT_NEAR(127.5F * n.scale[1] + n.offset[1], 1, 1e-6);
  EXPECT_NEAR(255.0F * n.scale[2] + n.offset[2], 1, 1e-6);
}

}  // namespace
}  // namespace fairlap::data

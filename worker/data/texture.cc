#include "worker/data/texture.h"

#include <algorithm>
#include <cmath>

namespace fairlap::data {
namespace {

// `distance` in pixels.
int64_t WaveAt(int64_t distance, int64_t pitch) { return Wave(distance * 256 * 1024 / pitch); }

// The square root of an integer below 2^52 is the same on every IEEE machine.
int64_t Distance(int64_t x, int64_t y) {
  return static_cast<int64_t>(std::sqrt(static_cast<double>((x * x + y * y) * 256 * 256)));
}

}  // namespace

int64_t Wave(int64_t position) {
  const int64_t t = (position & 1023) - 512;
  return t * (512 - std::abs(t)) / 256;  // of parabolas
}

int64_t TextureAt(const Texture& texture, int64_t x, int64_t y) {
  x -= texture.shift_x;
  y -= texture.shift_y;
  switch (texture.pattern) {
    case Pattern::kRows: return WaveAt(y, texture.pitch);
    case Pattern::kColumns: return WaveAt(x, texture.pitch);
    // 181/256 is the sine of 45 degrees.
    case Pattern::kDiagonals:
      return Wave((texture.mirrored ? x - y : x + y) * 181 * 1024 / texture.pitch);
    case Pattern::kChecks: return WaveAt(x, texture.pitch) * WaveAt(y, texture.pitch) / 256;
    case Pattern::kRings: return Wave(Distance(x, y) * 1024 / texture.pitch);
  }
  return 0;
}

Colour Mix(const Colour& dark, const Colour& light, int64_t level) {
  Colour mixed;
  for (size_t c = 0; c < 3; ++c) {
    mixed[c] = (dark[c] * (256 - level) + light[c] * (256 + level)) / 512;
  }
  return mixed;
}

std::array<Colour, 2> DrawColours(base::Random& random) {
  const int64_t contrast = random.Between(80, 160);
  const int64_t dark = random.Between(30, 225 - contrast);
  const auto tint = [&random](int64_t brightness) {
    Colour colour;
    for (int64_t& channel : colour) {
      channel = std::clamp<int64_t>(brightness + random.Between(-30, 30), 0, 255);
    }
    return colour;
  };
  std::array<Colour, 2> colours = {tint(dark), tint(dark + contrast)};
  if (random.Below(2) == 1) std::swap(colours[0], colours[1]);
  return colours;
}

SmoothNoise::SmoothNoise(int64_t cell, int64_t amplitude, base::Random& random) : cell_(cell) {
  for (int16_t& node : nodes_) {
    node = static_cast<int16_t>(random.Between(-amplitude, amplitude));
  }
}

int64_t SmoothNoise::Node(int64_t x, int64_t y) const {
  return nodes_[static_cast<size_t>((y % kPeriod) * kPeriod + x % kPeriod)];
}

int64_t SmoothNoise::At(int64_t x, int64_t y) const {
  const int64_t column = x / cell_, row = y / cell_;
  const int64_t right = x % cell_, down = y % cell_;
  const int64_t above = Node(column, row) * (cell_ - right) + Node(column + 1, row) * right;
  const int64_t below = Node(column, row + 1) * (cell_ - right) + Node(column + 1, row + 1) * right;
  return (above * (cell_ - down) + below * down) / (cell_ * cell_);
}

}  // namespace fairlap::data

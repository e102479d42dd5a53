#include "worker/data/specimen.h"

#include <algorithm>
#include <cmath>

#include "worker/data/percentiles.h"
#include "worker/data/texture.h"

namespace fairlap::data {
namespace {

constexpr int64_t kBlackLevel = 4096;
constexpr int64_t kUnit = 256;  // of positions and lengths: 1/256 pixel

class Canvas {
 public:
  explicit Canvas(int64_t edge) : edge_(edge), light_(static_cast<size_t>(edge * edge)) {}

  int64_t edge() const { return edge_; }
  int64_t& At(int64_t x, int64_t y) { return light_[static_cast<size_t>(y * edge_ + x)]; }

  // Calls paint(light, dx, dy) for the pixels not farther than `radius` from (x, y) on either axis;
  // all in units.
  template <class Paint>
  void Around(int64_t x, int64_t y, int64_t radius, Paint paint) {
    const auto bound = [this](int64_t units) {
      return std::clamp<int64_t>(units / kUnit, 0, edge_);
    };
    for (int64_t row = bound(y - radius); row < bound(y + radius + kUnit); ++row) {
      for (int64_t column = bound(x - radius); column < bound(x + radius + kUnit); ++column) {
        paint(At(column, row), column * kUnit - x, row * kUnit - y);
      }
    }
  }

 private:
  int64_t edge_;
  std::vector<int64_t> light_;
};

// A soft bump of height 1024: (1 - d^2 / r^2)^2, 0 outside.
int64_t Bump(int64_t distance_squared, int64_t radius_squared) {
  if (distance_squared >= radius_squared) return 0;
  const int64_t inside = 1024 - 1024 * distance_squared / radius_squared;
  return inside * inside / 1024;
}

int64_t DrawPlace(int64_t edge, base::Random& random) {
  return random.Between(0, edge * kUnit - 1);
}

// How many of what comes `per_million` to a million pixels; at least one.
int64_t DrawCount(int64_t edge, int64_t per_million, base::Random& random) {
  const int64_t mean = edge * edge * per_million / 1'000'000;
  return std::max<int64_t>(1, random.Between(mean / 2, mean * 3 / 2));
}

void AddHaze(Canvas& canvas, base::Random& random) {
  const SmoothNoise haze(std::max<int64_t>(8, canvas.edge() / 4), 900, random);
  for (int64_t y = 0; y < canvas.edge(); ++y) {
    for (int64_t x = 0; x < canvas.edge(); ++x) canvas.At(x, y) += 1200 + haze.At(x, y);
  }
}

// A turned ellipse with a soft edge and a texture inside.
void AddCell(Canvas& canvas, base::Random& random) {
  const int64_t largest = std::max<int64_t>(6, canvas.edge() / 8);
  const int64_t a = random.Between(largest / 3 * kUnit, largest * kUnit);
  const int64_t b = a * random.Between(50, 100) / 100;
  const int64_t turn = random.Between(0, 1023);
  const int64_t cosine = Wave(turn + 256), sine = Wave(turn);
  const int64_t light = random.Between(3000, 11'000);
  const SmoothNoise texture(random.Between(3, 7), light / 3, random);
  const int64_t x = DrawPlace(canvas.edge(), random), y = DrawPlace(canvas.edge(), random);
  canvas.Around(x, y, a * 3 / 2, [&](int64_t& pixel, int64_t dx, int64_t dy) {
    const int64_t u = (dx * cosine + dy * sine) / 256, v = (dy * cosine - dx * sine) / 256;
    const int64_t outwards = u * u * 1024 / (a * a) + v * v * 1024 / (b * b);
    if (outwards >= 1024) return;
    const int64_t level = std::min<int64_t>(1024, (1024 - outwards) * 3);
    const int64_t inside = light + texture.At((dx + x) / kUnit, (dy + y) / kUnit);
    pixel += level * inside / 1024;
  });
}

// A bent fibre: where fibres cross, the brighter one is seen.
void AddFilament(Canvas& fibres, base::Random& random) {
  const int64_t radius = random.Between(kUnit * 3 / 2, kUnit * 7 / 2);
  const int64_t light = random.Between(6000, 24'000);
  const int64_t steps = fibres.edge() * random.Between(1, 4);  // of half a pixel
  int64_t x = DrawPlace(fibres.edge(), random), y = DrawPlace(fibres.edge(), random);
  int64_t direction = random.Between(0, 1023), bend = 0;
  for (int64_t step = 0; step < steps; ++step) {
    fibres.Around(x, y, radius, [&](int64_t& pixel, int64_t dx, int64_t dy) {
      pixel = std::max(pixel, light * Bump(dx * dx + dy * dy, radius * radius) / 1024);
    });
    bend = std::clamp<int64_t>(bend + random.Between(-1, 1), -6, 6);
    direction += bend;
    x += Wave(direction + 256) / 2;
    y += Wave(direction) / 2;
  }
}

void AddSpot(Canvas& canvas, base::Random& random) {
  const int64_t radius = random.Between(kUnit * 2, kUnit * 5);
  const int64_t light = random.Between(4000, 20'000);
  const int64_t x = DrawPlace(canvas.edge(), random), y = DrawPlace(canvas.edge(), random);
  canvas.Around(x, y, radius, [&](int64_t& pixel, int64_t dx, int64_t dy) {
    pixel += light * Bump(dx * dx + dy * dy, radius * radius) / 1024;
  });
}

// The square root of an integer below 2^52 is the same on every IEEE machine.
int64_t SquareRoot(int64_t value) {
  return static_cast<int64_t>(std::sqrt(static_cast<double>(value)));
}

// Near to normal: the sum of eight uniform 16-bit numbers, around 0. Its deviation is
// 65536 * sqrt(8 / 12) = 53510.
constexpr int64_t kDrawDeviation = 53'510;
int64_t DrawNormal(base::Random& random) {
  int64_t sum = 0;
  for (int word = 0; word < 2; ++word) {
    uint64_t bits = random.Next();
    for (int lane = 0; lane < 4; ++lane, bits >>= 16) sum += static_cast<int64_t>(bits & 0xffff);
  }
  return sum - 8 * 32'768 + 4;
}

}  // namespace

std::vector<uint16_t> DrawSpecimen(int64_t edge, base::Random& random) {
  Canvas canvas(edge), fibres(edge);
  AddHaze(canvas, random);
  for (int64_t left = DrawCount(edge, 120, random); left > 0; --left) AddCell(canvas, random);
  for (int64_t left = DrawCount(edge, 150, random); left > 0; --left) AddFilament(fibres, random);
  for (int64_t left = DrawCount(edge, 800, random); left > 0; --left) AddSpot(canvas, random);
  std::vector<uint16_t> specimen;
  specimen.reserve(static_cast<size_t>(edge * edge));
  for (int64_t y = 0; y < edge; ++y) {
    for (int64_t x = 0; x < edge; ++x) {
      const int64_t light = kBlackLevel + canvas.At(x, y) + fibres.At(x, y);
      specimen.push_back(static_cast<uint16_t>(std::clamp<int64_t>(light, kBlackLevel, 65'535)));
    }
  }
  return specimen;
}

std::vector<uint16_t> Expose(const std::vector<uint16_t>& specimen, base::Random& random) {
  Histogram histogram;
  histogram.Count(specimen);
  const int64_t bright = histogram.ValueAt((histogram.count() - 1) * 998 / 1000) - kBlackLevel;
  const int64_t photons = random.Between(20, 60);
  const int64_t read = bright * random.Between(40, 70) / 1000;
  std::vector<uint16_t> exposed;
  exposed.reserve(specimen.size());
  for (const uint16_t value : specimen) {
    // A value of n photons has a deviation of sqrt(n) photons, each worth bright / photons.
    const int64_t shot_variance = (value - kBlackLevel) * bright / photons;
    const int64_t deviation = SquareRoot(shot_variance + read * read);
    const int64_t noise = deviation * DrawNormal(random) / kDrawDeviation;
    exposed.push_back(static_cast<uint16_t>(std::clamp<int64_t>(value + noise, 0, 65'535)));
  }
  return exposed;
}

}  // namespace fairlap::data

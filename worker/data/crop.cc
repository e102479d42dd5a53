#include "worker/data/crop.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairlap::data {
namespace {

double Uniform(double low, double high, base::Random& random) {
  return low + (high - low) * random.Unit();
}

// The whole image, cut to the allowed aspect ratios.
Crop LargestCrop(const JpegSize& image) {
  const auto width = static_cast<double>(image.width), height = static_cast<double>(image.height);
  Crop crop{.width = width, .height = height};
  if (width / height < 3.0 / 4) crop.height = std::round(width / (3.0 / 4));
  if (width / height > 4.0 / 3) crop.width = std::round(height * (4.0 / 3));
  crop.x = std::floor((width - crop.width) / 2);
  crop.y = std::floor((height - crop.height) / 2);
  return crop;
}

Crop TryRandomCrop(const JpegSize& image, base::Random& random) {
  const double area = static_cast<double>(image.width) * static_cast<double>(image.height);
  const double target = area * Uniform(0.08, 1.0, random);
  const double ratio = std::exp(Uniform(std::log(3.0 / 4), std::log(4.0 / 3), random));
  const auto width = static_cast<int64_t>(std::round(std::sqrt(target * ratio)));
  const auto height = static_cast<int64_t>(std::round(std::sqrt(target / ratio)));
  if (width < 1 || height < 1 || width > image.width || height > image.height) return {};
  return {.x = static_cast<double>(random.Between(0, image.width - width)),
          .y = static_cast<double>(random.Between(0, image.height - height)),
          .width = static_cast<double>(width),
          .height = static_cast<double>(height)};
}

struct AxisRegion {
  int64_t start, size;
  AxisMap map;
};

// Of a scaled edge of `edge` pixels, what is needed for the box.
AxisRegion MakeAxisRegion(double start, double length, int64_t edge, int64_t size,
                          bool neighbours) {
  const double reach = neighbours ? std::max(length / static_cast<double>(size), 1.0) + 1 : 0;
  const auto low =
      std::clamp<int64_t>(static_cast<int64_t>(std::floor(start - reach)), 0, edge - 1);
  const auto high =
      std::clamp<int64_t>(static_cast<int64_t>(std::ceil(start + length + reach)), low + 1, edge);
  return {low, high - low,
          AxisMap{.source_size = high - low,
                  .low = 0,
                  .high = high - low,
                  .box_start = start - static_cast<double>(low),
                  .box_size = length}};
}

int SmallestEighths(double shorter_edge, int64_t size) {
  for (const int eighths : {1, 2, 4}) {
    if (shorter_edge * eighths / 8 >= static_cast<double>(size)) return eighths;
  }
  return 8;
}

// The upright crop in stored coordinates.
Crop StoredCrop(Crop crop, const JpegSize& upright, const Orientation& orientation) {
  if (orientation.flip_x) crop.x = static_cast<double>(upright.width) - crop.x - crop.width;
  if (orientation.flip_y) crop.y = static_cast<double>(upright.height) - crop.y - crop.height;
  if (orientation.transpose) {
    std::swap(crop.x, crop.y);
    std::swap(crop.width, crop.height);
  }
  return crop;
}

}  // namespace

Crop RandomResizedCrop(const JpegSize& image, base::Random& random) {
  Crop crop;
  for (int attempt = 0; attempt < 10 && crop.width == 0; ++attempt) {
    crop = TryRandomCrop(image, random);
  }
  if (crop.width == 0) crop = LargestCrop(image);
  crop.flip = random.Below(2) == 1;
  return crop;
}

Crop CentreCrop(const JpegSize& image, int64_t size) {
  const int64_t shorter = std::min(image.width, image.height);
  const int64_t resized = std::max(size, size * 256 / 224);
  // One axis: the crop's start and length in pixels of the image.
  const auto cut = [=](int64_t edge) {
    const int64_t target = edge == shorter ? resized : resized * edge / shorter;
    const double scale = static_cast<double>(edge) / static_cast<double>(target);
    const double start = std::nearbyint(static_cast<double>(target - size) / 2.0);
    return std::pair(start * scale, static_cast<double>(size) * scale);
  };
  const auto [x, width] = cut(image.width);
  const auto [y, height] = cut(image.height);
  return {.x = x, .y = y, .width = width, .height = height, .neighbours = true};
}

JpegSize UprightSize(const JpegSize& stored, const Orientation& orientation) {
  return orientation.transpose ? JpegSize{stored.height, stored.width} : stored;
}

ResizePlan MakeResizePlan(const Crop& crop, const JpegSize& stored, const Orientation& orientation,
                          int64_t size) {
  const Crop cut = StoredCrop(crop, UprightSize(stored, orientation), orientation);
  ResizePlan plan;
  plan.eighths = SmallestEighths(std::min(cut.width, cut.height), size);
  const double scale = plan.eighths / 8.0;
  const int64_t width = (stored.width * plan.eighths + 7) / 8;
  const int64_t height = (stored.height * plan.eighths + 7) / 8;
  const AxisRegion x =
      MakeAxisRegion(cut.x * scale, cut.width * scale, width, size, crop.neighbours);
  const AxisRegion y =
      MakeAxisRegion(cut.y * scale, cut.height * scale, height, size, crop.neighbours);
  plan.region = {x.start, y.start, x.size, y.size};
  plan.horizontal = x.map;
  plan.vertical = y.map;
  return plan;
}

TargetLayout MakeTargetLayout(const Orientation& orientation, bool flip, int64_t size,
                              ChannelLayout channels) {
  const bool planar = channels == ChannelLayout::kPlanar;
  const int64_t pixel = planar ? 1 : 3;
  const int64_t row = pixel * size;
  const bool flip_x = orientation.flip_x != flip;
  const int64_t step_x = flip_x ? -pixel : pixel;
  const int64_t step_y = orientation.flip_y ? -row : row;
  TargetLayout layout;
  layout.origin = (flip_x ? row - pixel : 0) + (orientation.flip_y ? row * (size - 1) : 0);
  layout.step_u = orientation.transpose ? step_y : step_x;
  layout.step_v = orientation.transpose ? step_x : step_y;
  layout.step_c = planar ? size * size : 1;
  return layout;
}

}  // namespace fairlap::data

// Which part of an image becomes the sample: pure geometry.
#ifndef FAIRLAP_WORKER_DATA_CROP_H_
#define FAIRLAP_WORKER_DATA_CROP_H_

#include <cstdint>

#include "lib/base/random.h"
#include "worker/data/exif.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/resize.h"

namespace fairlap::data {

// In pixels of the upright image.
struct Crop {
  double x = 0, y = 0, width = 0, height = 0;
  bool flip = false;  // left to right
  bool neighbours =
      false;  // the filter may use pixels beside the crop, as when resizing before cropping
};

// torchvision's RandomResizedCrop(scale=(0.08, 1), ratio=(3/4, 4/3)) and RandomHorizontalFlip.
Crop RandomResizedCrop(const JpegSize& image, base::Random& random);

// torchvision's Resize(size * 256 / 224) of the shorter edge and CenterCrop(size), in one step.
Crop CentreCrop(const JpegSize& image, int64_t size);

JpegSize UprightSize(const JpegSize& stored, const Orientation& orientation);

// How to get `crop` out of a stored image: decode `region` of the image scaled to eighths/8 and map
// it.
struct ResizePlan {
  int eighths = 8;
  PixelRect region;
  AxisMap horizontal, vertical;  // relative to `region`
};

// The smallest scale is chosen at which the crop still has `size` pixels an edge. Scales other than
// 1, 2, 4 and 8 eighths are not: libjpeg-turbo has no SIMD for them and they cost more than they
// save.
ResizePlan MakeResizePlan(const Crop& crop, const JpegSize& stored, const Orientation& orientation,
                          int64_t size);

enum class ChannelLayout { kPlanar, kInterleaved };

// Turns the stored order of pixels into the upright, and maybe flipped, one.
TargetLayout MakeTargetLayout(const Orientation& orientation, bool flip, int64_t size,
                              ChannelLayout channels);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_CROP_H_

// Writes baseline JPEGs: 4:2:0, quality 90, as most photographs in the wild.
#ifndef FAIRLAP_WORKER_DATA_JPEG_ENCODER_H_
#define FAIRLAP_WORKER_DATA_JPEG_ENCODER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::data {

struct RgbImage {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> pixels;  // height x width x 3

  uint8_t* At(int64_t x, int64_t y) { return pixels.data() + 3 * (y * width + x); }
  const uint8_t* At(int64_t x, int64_t y) const { return pixels.data() + 3 * (y * width + x); }
};

RgbImage MakeRgbImage(int64_t width, int64_t height);

// The same bytes for the same image. Errors: kInternal, in libjpeg's words.
base::Result<std::string> EncodeJpeg(const RgbImage& image);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_JPEG_ENCODER_H_

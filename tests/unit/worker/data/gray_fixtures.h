// Grayscale PNG and TIFF files made on the spot with libpng and libtiff.
#ifndef FAIRLAP_TESTS_UNIT_WORKER_DATA_GRAY_FIXTURES_H_
#define FAIRLAP_TESTS_UNIT_WORKER_DATA_GRAY_FIXTURES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace fairlap::data {

struct Gray {
  int64_t width = 0, height = 0;
  std::vector<uint16_t> values;  // row after row
  uint16_t At(int64_t x, int64_t y) const { return values[static_cast<size_t>(y * width + x)]; }
};

Gray PaintGray(int64_t width, int64_t height,
               const std::function<int64_t(int64_t x, int64_t y)>& painter);

struct PngStyle {
  int bits = 16;
  int channels = 1;  // 2: with alpha; 3, 4: colours of equal value
  bool palette = false;
  bool interlaced = false;
};
std::string MakePng(const Gray& image, const PngStyle& style = {});

struct TiffStyle {
  int bits = 16;
  int channels = 1;
  int compression = 1;  // COMPRESSION_NONE
  int tile = 0;         // pixels an edge, a multiple of 16; 0: strips
  int rows_per_strip = 5;
  int photometric = 1;    // PHOTOMETRIC_MINISBLACK
  int sample_format = 1;  // SAMPLEFORMAT_UINT
  int pages = 1;
  const char* mode = "w";  // b: big-endian, l: little-endian, 8: BigTIFF
};
std::string MakeTiff(const Gray& image, const TiffStyle& style = {});

inline std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace fairlap::data

#endif  // FAIRLAP_TESTS_UNIT_WORKER_DATA_GRAY_FIXTURES_H_

// Grayscale images of 8 or 16 bits a pixel, out of PNG and TIFF files. Files are hostile input:
// nothing beyond them is read, sizes are bounded, and no library writes to stderr.
#ifndef FAIRLAP_WORKER_DATA_GRAY_IMAGE_H_
#define FAIRLAP_WORKER_DATA_GRAY_IMAGE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "worker/storage/byte_buffer.h"

namespace fairlap::data {

inline constexpr int64_t kMaxGrayEdge = 65'535;
inline constexpr int64_t kMaxGrayBytes = int64_t{1} << 30;  // decoded

struct GrayImage {
  int64_t width = 0, height = 0;
  int64_t bytes_per_pixel = 1;      // 1, or 2 in the machine's byte order
  std::span<const uint8_t> pixels;  // row after row, without gaps
};

// What a thread decodes into, again and again.
struct GrayBuffers {
  storage::ByteBuffer pixels;
  storage::ByteBuffer tile;  // of a tiled TIFF
};

// Which of the two it is, the first bytes say and not the name. The image lies in `buffers`. Errors
// (kInvalidInput): "is empty", "is not a PNG or TIFF file", and those of the decoders below.
base::Result<GrayImage> DecodeGray(std::span<const uint8_t> file, GrayBuffers& buffers);

// The decoders share these errors (kInvalidInput): "truncated PNG", "a 3-channel image; expected
// grayscale", "a palette image; expected grayscale", "32 bits a pixel; expected 8 or 16", "has
// 70000 x 1 pixels, more than can be decoded", and "broken PNG: " with the library's own words.
// Interlaced files are read; gamma, profiles and transparency are not applied.
base::Result<GrayImage> DecodePng(std::span<const uint8_t> file, GrayBuffers& buffers);

// One page of strips or tiles, of unsigned pixels with 0 for black, uncompressed or with LZW,
// Deflate, PackBits or Zstandard, in either byte order, also BigTIFF. An orientation is not
// applied, as tifffile does not.
base::Result<GrayImage> DecodeTiff(std::span<const uint8_t> file, GrayBuffers& buffers);

// For the decoders: the buffer's part for such an image, or why there is none.
struct GrayHeader {
  int64_t width = 0, height = 0;
  int64_t bits = 8;
  int64_t channels = 1;
  bool palette = false;
};
base::Status CheckGrayHeader(const GrayHeader& header);

// "broken PNG: ..." in printable ASCII, whatever the library says about the file.
std::string BrokenReason(std::string_view format, std::string_view library_words);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_GRAY_IMAGE_H_

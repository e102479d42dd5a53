// Decodes a rectangle of a JPEG, row by row, with libjpeg-turbo: rows above it are skipped, columns
// beside it are not transformed, rows below it are never looked at.
#ifndef FAIRLAP_WORKER_DATA_JPEG_DECODER_H_
#define FAIRLAP_WORKER_DATA_JPEG_DECODER_H_

#include <cstdint>
#include <memory>
#include <span>

#include "lib/base/result.h"

namespace fairlap::data {

// libjpeg's own limit on an edge is 65,500; this one bounds the memory of a progressive image.
inline constexpr int64_t kMaxJpegPixels = int64_t{1} << 27;

struct JpegSize {
  int64_t width = 0, height = 0;  // as stored, before any Exif orientation
};

struct PixelRect {
  int64_t x = 0, y = 0, width = 0, height = 0;
};

// Reused from image to image; one thread at a time.
class JpegDecoder {
 public:
  JpegDecoder();
  ~JpegDecoder();
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  // Reads the header. `file` must stay valid until the last row is read. Errors (kInvalidInput):
  // "is empty", "is not a JPEG file", "truncated JPEG", too many pixels or scans, or libjpeg's own
  // words.
  base::Result<JpegSize> Open(std::span<const uint8_t> file);

  // Prepares the rows of `rect`, which lies in the image as scaled to `eighths`/8 of its size (each
  // edge rounded up); `eighths` is 1, 2, 4 or 8. Returns the rectangle that rows will hold: same
  // rows, at least the same columns. The pixels are those of a decode of the whole image.
  base::Result<PixelRect> Start(const PixelRect& rect, int eighths);

  // Decodes the next row into `row`: 4 bytes a pixel, R G B and one unspecified, as many pixels as
  // Start said. Gray, CMYK and YCCK images are converted.
  base::Status ReadRow(uint8_t* row);

  // Ends the image early or late; the decoder is then ready for the next Open.
  void Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_JPEG_DECODER_H_

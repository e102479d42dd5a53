// JPEG files made on the spot with libjpeg, and folders to put them into.
#ifndef FAIRLAP_TESTS_UNIT_WORKER_DATA_JPEG_FIXTURES_H_
#define FAIRLAP_TESTS_UNIT_WORKER_DATA_JPEG_FIXTURES_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fairlap::data {

// Removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

  void Write(const std::string& relative_path, const std::string& bytes) const;

 private:
  std::filesystem::path path_;
};

struct Canvas {
  int64_t width = 0, height = 0;
  int channels = 3;
  std::vector<uint8_t> values;  // height x width x channels

  uint8_t& At(int64_t x, int64_t y, int channel) {
    return values[static_cast<size_t>((y * width + x) * channels + channel)];
  }
  uint8_t At(int64_t x, int64_t y, int channel) const {
    return values[static_cast<size_t>((y * width + x) * channels + channel)];
  }
};

using Painter = std::function<uint8_t(int64_t x, int64_t y, int channel)>;
Canvas Paint(int64_t width, int64_t height, int channels, const Painter& painter);

// Soft colours that differ everywhere, so that JPEG keeps them well.
Canvas PaintGradient(int64_t width, int64_t height);
// Edges and grain: what shows wrong neighbours.
Canvas PaintBusy(int64_t width, int64_t height);

struct JpegStyle {
  bool progressive = false;
  bool adobe_cmyk =
      false;  // with 4 channels: YCCK with Adobe's marker, else plain CMYK without one
  int exif_orientation = 0;  // 0: no Exif
  bool big_endian_exif = false;
  bool subsampled = true;  // 4:2:0, else 4:4:4
  int quality = 95;
};

// 1 channel: gray; 3: RGB; 4: CMYK.
std::string MakeJpeg(const Canvas& canvas, const JpegStyle& style = {});

}  // namespace fairlap::data

#endif  // FAIRLAP_TESTS_UNIT_WORKER_DATA_JPEG_FIXTURES_H_

#include "jpeg_fixtures.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>

// jpeglib.h needs the two above.
#include <jpeglib.h>

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;

std::string ExifSegment(int orientation, bool big_endian) {
  const auto two = [=](int value) {
    const char low = static_cast<char>(value), zero = 0;
    return big_endian ? std::string{zero, low} : std::string{low, zero};
  };
  const auto four = [&](int value) {
    const std::string zeros(2, '\0');
    return big_endian ? zeros + two(value) : two(value) + zeros;
  };
  const std::string other_tag = std::string(big_endian ? "\x01\x00" : "\x00\x01", 2);
  const std::string tag = std::string(big_endian ? "\x01\x12" : "\x12\x01", 2);
  std::string segment("Exif\0\0", 6);
  segment += big_endian ? "MM" : "II";
  segment += two(42) + four(8) + two(2);
  segment += other_tag + two(3) + four(1) + two(5) + two(0);
  segment += tag + two(3) + four(1) + two(orientation) + two(0);
  return segment + four(0);
}

J_COLOR_SPACE ColourSpace(int channels) {
  return channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
}

void Configure(jpeg_compress_struct& info, const Canvas& canvas, const JpegStyle& style) {
  info.image_width = static_cast<JDIMENSION>(canvas.width);
  info.image_height = static_cast<JDIMENSION>(canvas.height);
  info.input_components = canvas.channels;
  info.in_color_space = ColourSpace(canvas.channels);
  jpeg_set_defaults(&info);
  if (style.adobe_cmyk) {
    jpeg_set_colorspace(&info, JCS_YCCK);
  } else if (canvas.channels == 4) {
    info.write_Adobe_marker = FALSE;
  }
  if (!style.subsampled) info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
  if (style.progressive) jpeg_simple_progression(&info);
  jpeg_set_quality(&info, style.quality, TRUE);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "fairlap-data-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TemporaryFolder::Write(const std::string& relative_path, const std::string& bytes) const {
  const fs::path path = path_ / relative_path;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

Canvas Paint(int64_t width, int64_t height, int channels, const Painter& painter) {
  Canvas canvas{width, height, channels,
                std::vector<uint8_t>(static_cast<size_t>(width * height * channels))};
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) canvas.At(x, y, c) = painter(x, y, c);
    }
  }
  return canvas;
}

Canvas PaintGradient(int64_t width, int64_t height) {
  return Paint(width, height, 3, [=](int64_t x, int64_t y, int c) {
    const int64_t value = c == 0   ? 255 * x / width
                          : c == 1 ? 255 * y / height
                                   : 255 - 255 * (x + y) / (width + height);
    return static_cast<uint8_t>(value);
  });
}

Canvas PaintBusy(int64_t width, int64_t height) {
  return Paint(width, height, 3, [](int64_t x, int64_t y, int c) {
    const int64_t edge = (x / 7 + y / 5 + c) % 2 * 140;
    return static_cast<uint8_t>(edge + (x * 31 + y * 17 + c * 53) % 60);
  });
}

std::string MakeJpeg(const Canvas& canvas, const JpegStyle& style) {
  jpeg_compress_struct info{};
  jpeg_error_mgr manager{};
  info.err = jpeg_std_error(&manager);  // its error_exit ends the test program, with a message
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  Configure(info, canvas, style);
  jpeg_start_compress(&info, TRUE);
  if (style.exif_orientation > 0) {
    const std::string exif = ExifSegment(style.exif_orientation, style.big_endian_exif);
    jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(exif.data()),
                      static_cast<unsigned>(exif.size()));
  }
  while (info.next_scanline < info.image_height) {
    auto* row =
        const_cast<JSAMPROW>(canvas.values.data() + static_cast<size_t>(info.next_scanline) *
                                                        canvas.width * canvas.channels);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  std::string result(reinterpret_cast<const char*>(bytes), size);
  jpeg_destroy_compress(&info);
  std::free(bytes);
  return result;
}

}  // namespace fairlap::data

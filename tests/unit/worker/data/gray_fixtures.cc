#include "gray_fixtures.h"

#include <png.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "jpeg_fixtures.h"

namespace fairlap::data {
namespace {

void AppendBytes(png_structp png, png_bytep bytes, size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(bytes), size);
}

void FlushNothing(png_structp /*png*/) {}

int ColourType(const PngStyle& style) {
  if (style.palette) return PNG_COLOR_TYPE_PALETTE;
  constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                            PNG_COLOR_TYPE_RGB_ALPHA};
  return kTypes[style.channels - 1];
}

// `width` values of a row as a file holds them: `bits` each, in the machine's byte order or the
// other.
std::vector<uint8_t> PackRow(const uint16_t* values, int64_t width, int bits, int channels,
                             bool swapped) {
  std::vector<uint8_t> row;
  for (int64_t i = 0; i < width * channels; ++i) {
    const uint16_t value = values[i / channels];
    const auto low = static_cast<uint8_t>(value & 0xff), high = static_cast<uint8_t>(value >> 8);
    if (bits <= 8) {
      row.push_back(low);
    } else {
      row.push_back(swapped ? high : low);
      row.push_back(swapped ? low : high);
    }
    for (int more = 16; more < bits; more += 8) row.push_back(0);
  }
  return row;
}

void SetFields(TIFF* tiff, const Gray& image, const TiffStyle& style) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<uint32_t>(image.width));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<uint32_t>(image.height));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, style.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, style.channels);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, style.compression);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, style.photometric);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, style.sample_format);
  if (style.photometric == PHOTOMETRIC_PALETTE) {
    std::vector<uint16_t> colours(size_t{1} << style.bits);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, colours.data(), colours.data(), colours.data());
  }
  if (style.tile > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, style.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, style.tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, style.rows_per_strip);
  }
}

void WriteTile(TIFF* tiff, const Gray& image, const TiffStyle& style, int64_t x, int64_t y) {
  std::vector<uint8_t> tile;
  for (int64_t row = y; row < y + style.tile; ++row) {
    for (int64_t column = x; column < x + style.tile; ++column) {
      const uint16_t value = row < image.height && column < image.width
                                 ? image.At(column, row)
                                 : uint16_t{0xabcd};  // what fills a tile up is not to be seen
      for (const uint8_t byte : PackRow(&value, 1, style.bits, 1, false)) tile.push_back(byte);
    }
  }
  TIFFWriteTile(tiff, tile.data(), static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0, 0);
}

void WritePage(TIFF* tiff, const Gray& image, const TiffStyle& style) {
  SetFields(tiff, image, style);
  if (style.tile > 0) {
    for (int64_t y = 0; y < image.height; y += style.tile) {
      for (int64_t x = 0; x < image.width; x += style.tile) WriteTile(tiff, image, style, x, y);
    }
  } else {
    for (int64_t y = 0; y < image.height; ++y) {
      std::vector<uint8_t> row = PackRow(&image.values[static_cast<size_t>(y * image.width)],
                                         image.width, style.bits, style.channels, false);
      TIFFWriteScanline(tiff, row.data(), static_cast<uint32_t>(y), 0);
    }
  }
  TIFFWriteDirectory(tiff);
}

}  // namespace

Gray PaintGray(int64_t width, int64_t height,
               const std::function<int64_t(int64_t x, int64_t y)>& painter) {
  Gray image{width, height, {}};
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      image.values.push_back(static_cast<uint16_t>(painter(x, y)));
    }
  }
  return image;
}

std::string MakePng(const Gray& image, const PngStyle& style) {
  std::string file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &file, AppendBytes, FlushNothing);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), style.bits, ColourType(style),
               style.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> colours(size_t{1} << std::min(style.bits, 8));
  if (style.palette) png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  png_write_info(png, info);
  if (style.bits < 8) png_set_packing(png);
  const int passes = png_set_interlace_handling(png);
  for (int pass = 0; pass < passes; ++pass) {
    for (int64_t y = 0; y < image.height; ++y) {
      png_write_row(png, PackRow(&image.values[static_cast<size_t>(y * image.width)], image.width,
                                 style.bits, style.channels, true)
                             .data());
    }
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

std::string MakeTiff(const Gray& image, const TiffStyle& style) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "image.tif";
  TIFF* tiff = TIFFOpen(path.c_str(), style.mode);
  if (tiff == nullptr) std::abort();
  for (int page = 0; page < style.pages; ++page) WritePage(tiff, image, style);
  TIFFClose(tiff);
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace fairlap::data

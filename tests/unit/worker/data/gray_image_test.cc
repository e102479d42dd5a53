#include "worker/data/gray_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tiffio.h>

#include <cstring>
#include <string>
#include <vector>

#include "gray_fixtures.h"

namespace fairlap::data {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// 37 x 23 pixels that use all bits, and differ from their neighbours.
Gray Busy(int bits) {
  return PaintGray(37, 23, [bits](int64_t x, int64_t y) {
    return (x * 2503 + y * 7919 + x * y * 13) % (int64_t{1} << bits);
  });
}

std::vector<uint16_t> ValuesOf(const GrayImage& image) {
  std::vector<uint16_t> values(static_cast<size_t>(image.width * image.height));
  for (size_t i = 0; i < values.size(); ++i) {
    if (image.bytes_per_pixel == 1) {
      values[i] = image.pixels[i];
    } else {
      std::memcpy(&values[i], &image.pixels[2 * i], 2);
    }
  }
  return values;
}

std::string ReasonFor(const std::string& file) {
  GrayBuffers buffers;
  const auto image = DecodeGray(BytesOf(file), buffers);
  return image ? "" : image.error().message;
}

void ExpectReadsBack(const std::string& file, const Gray& painted, int bits,
                     const std::string& what) {
  GrayBuffers buffers;
  const auto image = DecodeGray(BytesOf(file), buffers);
  ASSERT_TRUE(image.has_value()) << what << ": " << image.error().message;
  EXPECT_EQ(image->width, painted.width) << what;
  EXPECT_EQ(image->height, painted.height) << what;
  EXPECT_EQ(image->bytes_per_pixel, bits / 8) << what;
  EXPECT_EQ(ValuesOf(*image), painted.values) << what;
}

TEST(DecodeGray, ReadsPngsOfBothDepthsAlsoInterlaced) {
  for (const int bits : {8, 16}) {
    for (const bool interlaced : {false, true}) {
      ExpectReadsBack(MakePng(Busy(bits), {.bits = bits, .interlaced = interlaced}), Busy(bits),
                      bits, std::to_string(bits) + (interlaced ? " interlaced" : ""));
    }
  }
}

struct NamedTiff {
  const char* name;
  TiffStyle style;
};
const NamedTiff kTiffs[] = {
    {"strips", {}},
    {"one strip", {.rows_per_strip = 1000}},
    {"tiles", {.tile = 16}},
    {"big-endian strips", {.mode = "wb"}},
    {"big-endian tiles", {.tile = 32, .mode = "wb"}},
    {"little-endian BigTIFF", {.mode = "wl8"}},
    {"LZW", {.compression = COMPRESSION_LZW}},
    {"big-endian LZW tiles", {.compression = COMPRESSION_LZW, .tile = 16, .mode = "wb"}},
    {"Deflate", {.compression = COMPRESSION_ADOBE_DEFLATE}},
    {"PackBits", {.compression = COMPRESSION_PACKBITS}},
    {"Zstandard", {.compression = COMPRESSION_ZSTD}},
};

TEST(DecodeGray, ReadsTiffsOfBothDepthsInEveryLayout) {
  for (const int bits : {8, 16}) {
    for (NamedTiff tiff : kTiffs) {
      tiff.style.bits = bits;
      ExpectReadsBack(MakeTiff(Busy(bits), tiff.style), Busy(bits), bits,
                      std::to_string(bits) + " bits, " + tiff.name);
    }
  }
}

TEST(DecodeGray, SaysWhyAPngIsNoGrayImage) {
  const Gray image = PaintGray(4, 4, [](int64_t x, int64_t) { return x % 2; });
  const auto png = [&image](const PngStyle& style) { return ReasonFor(MakePng(image, style)); };
  EXPECT_EQ(png({.channels = 2}), "a 2-channel image; expected grayscale");
  EXPECT_EQ(png({.bits = 8, .channels = 3}), "a 3-channel image; expected grayscale");
  EXPECT_EQ(png({.channels = 4}), "a 4-channel image; expected grayscale");
  EXPECT_EQ(png({.bits = 8, .palette = true}), "a palette image; expected grayscale");
  EXPECT_EQ(png({.bits = 1}), "1 bits a pixel; expected 8 or 16");
  EXPECT_EQ(png({.bits = 4}), "4 bits a pixel; expected 8 or 16");
}

TEST(DecodeGray, SaysWhyATiffIsNoGrayImage) {
  const Gray image = PaintGray(4, 4, [](int64_t x, int64_t) { return x; });
  const auto tiff = [&image](const TiffStyle& style) { return ReasonFor(MakeTiff(image, style)); };
  EXPECT_EQ(tiff({.bits = 32}), "32 bits a pixel; expected 8 or 16");
  EXPECT_EQ(tiff({.bits = 32, .sample_format = SAMPLEFORMAT_IEEEFP}),
            "32 bits a pixel; expected 8 or 16");
  EXPECT_EQ(tiff({.sample_format = SAMPLEFORMAT_INT}),
            "signed or floating-point pixels; expected unsigned ones");
  EXPECT_EQ(tiff({.channels = 3, .photometric = PHOTOMETRIC_RGB}),
            "a 3-channel image; expected grayscale");
  EXPECT_EQ(tiff({.bits = 8, .photometric = PHOTOMETRIC_PALETTE}),
            "a palette image; expected grayscale");
  EXPECT_EQ(tiff({.photometric = PHOTOMETRIC_MINISWHITE}),
            "0 stands for white; expected 0 for black");
  EXPECT_EQ(tiff({.pages = 2}), "a stack of several pages; expected one image");
  EXPECT_EQ(tiff({.compression = COMPRESSION_LZMA}),
            "TIFF compression 34925; expected none, LZW, Deflate, PackBits or Zstandard");
}

TEST(DecodeGray, KnowsAFileByItsFirstBytes) {
  EXPECT_EQ(ReasonFor(""), "is empty");
  EXPECT_EQ(ReasonFor("a text file\n"), "is not a PNG or TIFF file");
  EXPECT_EQ(ReasonFor("\x89P"), "truncated PNG");
  EXPECT_EQ(ReasonFor("II*"), "truncated TIFF");
}

std::string ReasonForSize(int64_t width, int64_t height) {
  return ReasonFor(MakePng(PaintGray(width, height, [](int64_t, int64_t) { return 0; })));
}

TEST(DecodeGray, BoundsTheSizeOfAnImage) {
  EXPECT_EQ(ReasonForSize(65'535, 1), "");
  EXPECT_EQ(ReasonForSize(65'536, 1), "has 65536 x 1 pixels, more than can be decoded");
  EXPECT_EQ(ReasonForSize(1, 70'000), "has 1 x 70000 pixels, more than can be decoded");
  EXPECT_TRUE(CheckGrayHeader({.width = 32'768, .height = 16'384, .bits = 16}).has_value());
  EXPECT_FALSE(CheckGrayHeader({.width = 32'768, .height = 16'385, .bits = 16}).has_value());
  EXPECT_TRUE(CheckGrayHeader({.width = 32'768, .height = 32'768, .bits = 8}).has_value());
}

TEST(DecodeGray, CallsEveryTruncationOfAPngByItsName) {
  for (const bool interlaced : {false, true}) {
    const std::string file = MakePng(Busy(16), {.interlaced = interlaced});
    for (size_t length = 1; length < file.size(); ++length) {
      ASSERT_EQ(ReasonFor(file.substr(0, length)), "truncated PNG") << length;
    }
  }
}

// What is cut off may also be what libtiff wants to know before it reads pixels.
TEST(DecodeGray, RefusesEveryTruncationOfATiff) {
  ::testing::internal::CaptureStderr();
  size_t lengths = 0, named = 0;
  for (const NamedTiff& tiff : kTiffs) {
    const std::string file = MakeTiff(Busy(16), tiff.style);
    for (size_t length = 1; length < file.size(); ++length) {
      const std::string reason = ReasonFor(file.substr(0, length));
      ASSERT_THAT(reason, AnyOf("truncated TIFF", StartsWith("broken TIFF: ")))
          << tiff.name << " of " << length << " bytes";
      ++lengths;
      named += reason == "truncated TIFF" ? 1 : 0;
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(named, lengths * 9 / 10);
}

// Every byte of every file, once with all bits turned and once with one: nothing to be said about
// the result but that there is one, and that the sanitizers have no complaint.
TEST(DecodeGray, StandsDamageAtEveryByte) {
  std::vector<std::string> files = {MakePng(Busy(16)), MakePng(Busy(8), {.bits = 8})};
  for (const NamedTiff& tiff : kTiffs) files.push_back(MakeTiff(Busy(16), tiff.style));
  ::testing::internal::CaptureStderr();
  size_t unread = 0;
  for (const std::string& file : files) {
    for (size_t at = 0; at < file.size(); ++at) {
      for (const int bits : {0xff, 0x01}) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ bits);
        unread += ReasonFor(damaged).empty() ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(unread, 1000U);
}

TEST(DecodeGray, ReusesItsMemoryForTheNextImage) {
  GrayBuffers buffers;
  const std::string large = MakeTiff(Busy(16), {.tile = 16});
  const std::string small =
      MakePng(PaintGray(3, 2, [](int64_t x, int64_t y) { return x + 3 * y; }), {.bits = 8});
  const auto first = DecodeGray(BytesOf(large), buffers);
  ASSERT_TRUE(first.has_value());
  const auto* memory = first->pixels.data();
  EXPECT_FALSE(DecodeGray(BytesOf(large.substr(0, 300)), buffers).has_value());
  const auto second = DecodeGray(BytesOf(small), buffers);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->pixels.data(), memory);
  EXPECT_EQ(ValuesOf(*second), (std::vector<uint16_t>{0, 1, 2, 3, 4, 5}));
}

TEST(BrokenReason, KeepsToPrintableAscii) {
  EXPECT_EQ(BrokenReason("TIFF", "tag \"\x1b[2J\xff\" is odd"),
            "broken TIFF: tag \"?[2J?\" is odd");
}

}  // namespace
}  // namespace fairlap::data

#include "worker/data/jpeg_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "jpeg_fixtures.h"

namespace fairlap::data {
namespace {

using ::testing::HasSubstr;

std::span<const uint8_t> Bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

struct Decoded {
  PixelRect rect;
  std::vector<uint8_t> pixels;  // 4 bytes each

  int At(int64_t x, int64_t y, int channel) const {
    return pixels[static_cast<size_t>(((y - rect.y) * rect.width + x - rect.x) * 4 + channel)];
  }
};

base::Result<Decoded> Decode(JpegDecoder& decoder, const std::string& file, PixelRect rect,
                             int eighths) {
  const auto opened = decoder.Open(Bytes(file));
  if (!opened) return tl::unexpected(opened.error());
  const auto started = decoder.Start(rect, eighths);
  if (!started) return tl::unexpected(started.error());
  Decoded decoded{*started,
                  std::vector<uint8_t>(static_cast<size_t>(started->width * started->height * 4))};
  for (int64_t y = 0; y < started->height; ++y) {
    const auto row = decoder.ReadRow(decoded.pixels.data() + y * started->width * 4);
    if (!row) return tl::unexpected(row.error());
  }
  decoder.Finish();
  return decoded;
}

base::Result<Decoded> DecodeWhole(const std::string& file, int64_t width, int64_t height) {
  JpegDecoder decoder;
  return Decode(decoder, file, {0, 0, width, height}, 8);
}

std::string ErrorOf(const std::string& file, int64_t width = 64, int64_t height = 48) {
  const auto decoded = DecodeWhole(file, width, height);
  return decoded ? "" : decoded.error().message;
}

// The largest difference of any channel.
int Worst(const Decoded& decoded, const Painter& expected) {
  int worst = 0;
  for (int64_t y = decoded.rect.y; y < decoded.rect.y + decoded.rect.height; ++y) {
    for (int64_t x = decoded.rect.x; x < decoded.rect.x + decoded.rect.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        worst = std::max(worst, std::abs(decoded.At(x, y, c) - expected(x, y, c)));
      }
    }
  }
  return worst;
}

TEST(JpegDecoder, DecodesBaselineAndProgressiveImagesAlike) {
  const Canvas canvas = PaintGradient(64, 48);
  for (const bool progressive : {false, true}) {
    const auto decoded =
        DecodeWhole(MakeJpeg(canvas, {.progressive = progressive, .subsampled = false}), 64, 48);
    ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
    EXPECT_LE(Worst(*decoded, [&](auto x, auto y, int c) { return canvas.At(x, y, c); }), 8);
  }
}

TEST(JpegDecoder, RepeatsGrayInAllChannels) {
  const Canvas canvas =
      Paint(64, 48, 1, [](int64_t x, int64_t y, int) { return static_cast<uint8_t>(x * 2 + y); });
  const auto decoded = DecodeWhole(MakeJpeg(canvas), 64, 48);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_LE(Worst(*decoded, [&](auto x, auto y, int) { return canvas.At(x, y, 0); }), 4);
}

TEST(JpegDecoder, ConvertsPlainCmykWhereMoreInkIsDarker) {
  const Canvas canvas = Paint(64, 48, 4, [](int64_t x, int64_t y, int c) {
    return static_cast<uint8_t>(c == 3 ? 51 : c == 0 ? x * 3 : c == 1 ? y * 4 : 40);
  });
  const auto decoded = DecodeWhole(MakeJpeg(canvas), 64, 48);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_LE(Worst(*decoded,
                  [&](auto x, auto y, int c) {
                    return static_cast<uint8_t>((255 - canvas.At(x, y, c)) * (255 - 51) / 255);
                  }),
            6);
}

TEST(JpegDecoder, ConvertsAdobesInvertedYcck) {
  const Canvas canvas = Paint(64, 48, 4, [](int64_t x, int64_t y, int c) {
    return static_cast<uint8_t>(c == 3 ? 204 : c == 0 ? x * 3 : c == 1 ? y * 4 : 40);
  });
  const auto decoded =
      DecodeWhole(MakeJpeg(canvas, {.adobe_cmyk = true, .subsampled = false}), 64, 48);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_LE(
      Worst(*decoded, [&](auto x, auto y,
                          int c) { return static_cast<uint8_t>(canvas.At(x, y, c) * 204 / 255); }),
      10);
}

TEST(JpegDecoder, SaysWhatIsWrongWithAFile) {
  const std::string good = MakeJpeg(PaintBusy(64, 48));
  EXPECT_EQ(ErrorOf(good), "");
  EXPECT_EQ(ErrorOf(""), "is empty");
  EXPECT_EQ(ErrorOf("Once upon a time there was no image in here.\n"), "is not a JPEG file");
  EXPECT_EQ(ErrorOf(good.substr(0, good.size() / 2)), "truncated JPEG");
  EXPECT_EQ(ErrorOf(good.substr(0, good.size() - 2)), "truncated JPEG");
  EXPECT_EQ(ErrorOf(good.substr(0, 2)), "truncated JPEG");
  const std::string progressive = MakeJpeg(PaintBusy(64, 48), {.progressive = true});
  EXPECT_EQ(ErrorOf(progressive.substr(0, progressive.size() / 2)), "truncated JPEG");
}

TEST(JpegDecoder, NoticesMissingRowsEvenWhereTheEndMarkerIsThere) {
  const std::string good = MakeJpeg(PaintBusy(64, 48));
  EXPECT_EQ(ErrorOf(good.substr(0, good.size() * 2 / 3) + "\xff\xd9"), "truncated JPEG");
}

TEST(JpegDecoder, NoticesTruncationBelowTheRectangle) {
  const std::string good = MakeJpeg(PaintBusy(64, 480));
  JpegDecoder decoder;
  const auto decoded = Decode(decoder, good.substr(0, good.size() * 3 / 4), {0, 0, 64, 16}, 8);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().message, "truncated JPEG");
}

TEST(JpegDecoder, AcceptsBytesAfterTheImage) {
  EXPECT_EQ(ErrorOf(MakeJpeg(PaintBusy(64, 48)) + "left over"), "");
}

TEST(JpegDecoder, RefusesMorePixelsThanItWillDecode) {
  std::string file = MakeJpeg(PaintGradient(64, 48));
  const size_t frame = file.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  file.replace(frame + 5, 4, "\xf0\x00\xf0\x00", 4);
  EXPECT_THAT(ErrorOf(file), HasSubstr("61440 x 61440 pixels"));
  file.replace(frame + 5, 4, "\xff\xf0\x00\x10", 4);  // beyond libjpeg's own limit
  EXPECT_THAT(ErrorOf(file), HasSubstr("65500"));
}

TEST(JpegDecoder, StaysUsableAfterABadFile) {
  const std::string good = MakeJpeg(PaintBusy(64, 48));
  JpegDecoder decoder;
  EXPECT_FALSE(Decode(decoder, good.substr(0, 700), {0, 0, 64, 48}, 8).has_value());
  EXPECT_FALSE(Decode(decoder, "text", {0, 0, 64, 48}, 8).has_value());
  EXPECT_TRUE(Decode(decoder, good, {0, 0, 64, 48}, 8).has_value());
}

// Whatever part is asked for, at whatever scale: the pixels are those of the whole image.
TEST(JpegDecoder, DecodesAPartAsItDecodesTheWhole) {
  const PixelRect rects[] = {{0, 0, 40, 30},    {16, 16, 32, 32}, {17, 19, 50, 41}, {31, 33, 1, 1},
                             {100, 90, 50, 37}, {15, 64, 65, 17}, {149, 126, 1, 1}};
  for (const bool subsampled : {false, true}) {
    for (const bool progressive : {false, true}) {
      const std::string file =
          MakeJpeg(PaintBusy(301, 254), {.progressive = progressive, .subsampled = subsampled});
      for (const int eighths : {4, 8}) {
        JpegDecoder decoder;
        const PixelRect all{0, 0, (301 * eighths + 7) / 8, (254 * eighths + 7) / 8};
        const auto whole = Decode(decoder, file, all, eighths);
        ASSERT_TRUE(whole.has_value());
        for (const PixelRect& rect : rects) {
          const auto part = Decode(decoder, file, rect, eighths);
          ASSERT_TRUE(part.has_value());
          ASSERT_LE(part->rect.x, rect.x);
          ASSERT_GE(part->rect.x + part->rect.width, rect.x + rect.width);
          for (int64_t y = rect.y; y < rect.y + rect.height; ++y) {
            for (int64_t x = rect.x; x < rect.x + rect.width; ++x) {
              for (int c = 0; c < 3; ++c) {
                ASSERT_EQ(part->At(x, y, c), whole->At(x, y, c))
                    << "at " << x << ", " << y << " of " << rect.x << ", " << rect.y << ", scale "
                    << eighths << "/8, subsampled " << subsampled << ", progressive "
                    << progressive;
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace fairlap::data

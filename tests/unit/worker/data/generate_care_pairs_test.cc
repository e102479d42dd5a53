#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gray_fixtures.h"
#include "jpeg_fixtures.h"
#include "worker/data/dataset.h"
#include "worker/data/generate.h"
#include "worker/data/gray_image.h"
#include "worker/data/png_writer.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

using ::testing::HasSubstr;

GenerateOptions Options(const TemporaryFolder& folder, int64_t images,
                        std::optional<int64_t> edge) {
  return {.out = folder.path(), .images = images, .seed = 1, .from = {}, .typical_width = edge};
}

std::unique_ptr<Dataset> OpenGenerated(const TemporaryFolder& folder, int64_t size) {
  DatasetOptions options{.spec = {}, .root = folder.path(), .image_size = size};
  options.spec.format = api::DatasetFormat::kCarePairs;
  auto dataset = OpenDataset(options, {});
  EXPECT_TRUE(dataset.has_value()) << dataset.error().message;
  return dataset ? std::move(*dataset) : nullptr;
}

// The pixels of a whole sample, normalised.
std::vector<float> Whole(const Dataset& dataset, int64_t index) {
  Scratch scratch;
  std::vector<float> pixels(static_cast<size_t>(2 * dataset.image_size() * dataset.image_size()));
  EXPECT_TRUE(dataset.Load({.index = index}, pixels, scratch).has_value());
  return pixels;
}

// Of the first half against the second, whose range is 1.
double Psnr(const std::vector<float>& pixels) {
  const size_t half = pixels.size() / 2;
  double sum = 0;
  for (size_t i = 0; i < half; ++i) {
    sum += (pixels[i] - pixels[half + i]) * (pixels[i] - pixels[half + i]);
  }
  return -10 * std::log10(sum / static_cast<double>(half));
}

// The same for the straight line through the first half's values that fits the second best: what of
// the difference is neither offset nor contrast.
double FittedPsnr(const std::vector<float>& pixels) {
  const size_t half = pixels.size() / 2;
  const auto count = static_cast<double>(half);
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < half; ++i) {
    const double noisy = pixels[i], clean = pixels[half + i];
    x += noisy / count;
    y += clean / count;
    xx += noisy * noisy / count;
    yy += clean * clean / count;
    xy += noisy * clean / count;
  }
  const double covariance = xy - x * y;
  return -10 * std::log10(yy - y * y - covariance * covariance / (xx - x * x));
}

// The first half as the simplest denoiser leaves it: the mean of 3 x 3 pixels for each.
std::vector<float> Blurred(std::vector<float> pixels, int64_t edge) {
  const std::vector<float> before = pixels;
  for (int64_t y = 1; y + 1 < edge; ++y) {
    for (int64_t x = 1; x + 1 < edge; ++x) {
      float sum = 0;
      for (int64_t k = 0; k < 9; ++k) {
        sum += before[static_cast<size_t>((y + k / 3 - 1) * edge + x + k % 3 - 1)];
      }
      pixels[static_cast<size_t>(y * edge + x)] = sum / 9;
    }
  }
  return pixels;
}

TEST(GenerateCarePairs, MakesPairsOf256PixelsWithTheStatedNoiseWhichCanBeTakenAway) {
  const TemporaryFolder folder;
  const auto made = GenerateCarePairs(Options(folder, 40, std::nullopt), {}, {});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->classes, 0);
  EXPECT_EQ(made->train_images, 40);
  EXPECT_EQ(made->validation_images, 8);
  const auto dataset = OpenGenerated(folder, 256);
  ASSERT_EQ(dataset->size(), 40);
  double sum = 0, gained = 0;
  for (int64_t i = 0; i < dataset->size(); ++i) {
    const std::vector<float> pixels = Whole(*dataset, i);
    const double psnr = Psnr(pixels);
    EXPECT_GT(psnr, 17) << i;
    EXPECT_LT(psnr, 23.5) << i;
    sum += psnr;
    gained += FittedPsnr(Blurred(pixels, 256)) - FittedPsnr(pixels);
  }
  EXPECT_NEAR(sum / 40, 20, 1);
  EXPECT_GT(gained / 40, 3);
}

// Locks the bytes down: another compiler, machine or library must come to the same.
TEST(GenerateCarePairs, MakesTheBytesThatItsVersionStandsFor) {
  const TemporaryFolder folder;
  const auto made = GenerateCarePairs(Options(folder, 6, 64), {}, {});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->sha256, "be79e33fb084541369aed1b8dac991963cb92b75a960661dbde3fbafc2ac9ea9");
}

TEST(GenerateCarePairs, MakesImagesOfEveryAllowedSize) {
  for (const int64_t edge : {16, 33, 1000}) {
    const TemporaryFolder folder;
    const auto made = GenerateCarePairs(Options(folder, 1, edge), {}, {});
    ASSERT_TRUE(made.has_value()) << made.error().message;
    EXPECT_EQ(made->validation_images, 1);
    Whole(*OpenGenerated(folder, edge), 0);
  }
}

TEST(GenerateCarePairs, RefusesOptionsThatItCannotMeet) {
  const TemporaryFolder folder;
  const auto message = [](const GenerateOptions& options) {
    const auto made = GenerateCarePairs(options, {}, {});
    return made ? "" : made.error().message;
  };
  EXPECT_THAT(message(Options(folder, 0, 64)), HasSubstr("at least one pair"));
  EXPECT_THAT(message(Options(folder, 1, 15)), HasSubstr("16 to 4096 pixels, not 15"));
  EXPECT_THAT(message(Options(folder, 1, 4097)), HasSubstr("16 to 4096 pixels, not 4097"));
  GenerateOptions cut = Options(folder, 1, 64);
  cut.from = "/photographs";
  EXPECT_THAT(message(cut), HasSubstr("cannot be cut out of photographs"));
}

TEST(MakeStoredPng, WritesWhatLibpngReads) {
  for (const int64_t width : {1, 100, 500}) {  // of 1, 1 and 4 stored blocks
    const Gray painted =
        PaintGray(width, 200, [](int64_t x, int64_t y) { return (x * 2503 + y * 7919) % 65'536; });
    const std::string file = MakeStoredPng(width, 200, painted.values);
    GrayBuffers buffers;
    const auto image = DecodePng(BytesOf(file), buffers);
    ASSERT_TRUE(image.has_value()) << image.error().message;
    ASSERT_EQ(image->bytes_per_pixel, 2);
    const auto* values = reinterpret_cast<const uint16_t*>(image->pixels.data());
    EXPECT_TRUE(std::equal(painted.values.begin(), painted.values.end(), values));
  }
}

}  // namespace
}  // namespace fairlap::data

#include "worker/data/cifar10.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "jpeg_fixtures.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kMean[] = {0.4914F, 0.4822F, 0.4465F};
constexpr float kDeviation[] = {0.2470F, 0.2435F, 0.2616F};

uint8_t PixelOf(int64_t record, int64_t c, int64_t y, int64_t x) {
  return static_cast<uint8_t>(1 + (record * 7 + c * 50 + y * 5 + x * 3) % 255);
}

std::string Records(int64_t count, int64_t first = 0) {
  std::string records;
  for (int64_t i = first; i < first + count; ++i) {
    records += static_cast<char>(i % 10);
    for (int64_t c = 0; c < 3; ++c) {
      for (int64_t y = 0; y < 32; ++y) {
        for (int64_t x = 0; x < 32; ++x) records += static_cast<char>(PixelOf(i, c, y, x));
      }
    }
  }
  return records;
}

std::string OpenError(const TemporaryFolder& folder, Split split = Split::kTrain) {
  const auto dataset = OpenCifar10(folder.path(), split, {});
  return dataset ? "" : dataset.error().message;
}

std::vector<float> LoadPixels(const Dataset& dataset, const SampleRequest& request) {
  Scratch scratch;
  std::vector<float> pixels(kCifarPixels);
  EXPECT_TRUE(dataset.Load(request, pixels, scratch).has_value());
  return pixels;
}

int64_t Level(float value, int64_t c) {
  return std::lround(255 * (value * kDeviation[c] + kMean[c]));
}

TEST(OpenCifar10, ReadsTrainingAndTestFilesFromEitherFolder) {
  const TemporaryFolder folder;
  folder.Write("cifar-10-batches-bin/data_batch_1.bin", Records(4));
  folder.Write("cifar-10-batches-bin/data_batch_2.bin", Records(3, 4));
  folder.Write("cifar-10-batches-bin/test_batch.bin", Records(2));
  folder.Write("cifar-10-batches-bin/batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  const auto train = OpenCifar10(folder.path(), Split::kTrain, {});
  const auto test = OpenCifar10(folder.path() / "cifar-10-batches-bin", Split::kValidation, {});
  ASSERT_TRUE(train && test);
  EXPECT_EQ((*train)->size(), 7);
  EXPECT_EQ((*train)->bytes(), 7 * 3073);
  EXPECT_EQ((*train)->SampleName(5), "data_batch_2.bin[1]");
  EXPECT_THAT((*train)->classes(), ElementsAre("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
  EXPECT_EQ((*test)->size(), 2);
  EXPECT_NE((*test)->identity(), (*train)->identity());
}

TEST(OpenCifar10, SaysWhatIsWrongWithItsFiles) {
  const TemporaryFolder empty, odd, label;
  odd.Write("data_batch_1.bin", "short");
  label.Write("data_batch_1.bin", Records(1) + std::string(3073, '\x0a'));
  EXPECT_THAT(OpenError(empty), HasSubstr("holds no data_batch_*.bin"));
  EXPECT_THAT(OpenError(empty, Split::kValidation), HasSubstr("holds no test_batch.bin"));
  EXPECT_THAT(OpenError(odd), HasSubstr("data_batch_1.bin: holds 5 bytes"));
  EXPECT_THAT(OpenError(label), HasSubstr("record 1 has label 10; expected 0 to 9"));
}

TEST(OpenDataset, RefusesAnotherImageSizeForCifar10) {
  const TemporaryFolder folder;
  DatasetOptions options{.spec = {}, .root = folder.path()};
  options.spec.format = api::DatasetFormat::kCifar10;
  options.image_size = 224;
  const auto dataset = OpenDataset(options, {});
  ASSERT_FALSE(dataset.has_value());
  EXPECT_EQ(dataset.error().kind, base::ErrorKind::kInvalidInput);
  EXPECT_THAT(dataset.error().message, HasSubstr("32 x 32 pixels, and imageSize is 224"));
}

TEST(OpenDataset, LeavesSyntheticDataToTheDevice) {
  DatasetOptions options;
  options.spec.format = api::DatasetFormat::kSynthetic;
  const auto dataset = OpenDataset(options, {});
  ASSERT_FALSE(dataset.has_value());
  EXPECT_THAT(dataset.error().message, HasSubstr("a synthetic data set is not read from files"));
}

TEST(Cifar10, NormalisesValidationImagesAsTheyAre) {
  const TemporaryFolder folder;
  folder.Write("test_batch.bin", Records(3));
  const auto dataset = OpenCifar10(folder.path(), Split::kValidation, {});
  ASSERT_TRUE(dataset.has_value());
  const auto planar = LoadPixels(**dataset, {.index = 2});
  const auto interleaved = LoadPixels(**dataset, {.index = 2, .order = PixelOrder::kChannelsLast});
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t y = 0; y < 32; ++y) {
      for (int64_t x = 0; x < 32; ++x) {
        const float value = planar[static_cast<size_t>((c * 32 + y) * 32 + x)];
        ASSERT_EQ(Level(value, c), PixelOf(2, c, y, x));
        ASSERT_EQ(value, interleaved[static_cast<size_t>((y * 32 + x) * 3 + c)]);
      }
    }
  }
}

// Each augmented image is the original, mirrored or not, moved by at most 4 pixels, black around
// it.
TEST(Cifar10, AugmentsByPaddedCropAndMirror) {
  const TemporaryFolder folder;
  folder.Write("data_batch_1.bin", Records(1));
  const auto dataset = OpenCifar10(folder.path(), Split::kTrain, {});
  ASSERT_TRUE(dataset.has_value());
  const auto matches = [](const std::vector<float>& pixels, int64_t dx, int64_t dy, bool flip) {
    for (int64_t y = 0; y < 32; ++y) {
      for (int64_t x = 0; x < 32; ++x) {
        const int64_t from_x = (flip ? 31 - x : x) + dx, from_y = y + dy;
        const bool inside = from_x >= 0 && from_x < 32 && from_y >= 0 && from_y < 32;
        const int64_t expected = inside ? PixelOf(0, 0, from_y, from_x) : 0;
        if (Level(pixels[static_cast<size_t>(y * 32 + x)], 0) != expected) return false;
      }
    }
    return true;
  };
  bool seen_flip[2] = {false, false};
  for (uint64_t random = 0; random < 40; ++random) {
    const auto pixels = LoadPixels(**dataset, {.index = 0, .random = random, .augment = true});
    int found = 0;
    for (int64_t dx = -4; dx <= 4; ++dx) {
      for (int64_t dy = -4; dy <= 4; ++dy) {
        for (const bool flip : {false, true}) {
          if (!matches(pixels, dx, dy, flip)) continue;
          ++found;
          seen_flip[flip ? 1 : 0] = true;
        }
      }
    }
    ASSERT_EQ(found, 1) << "random " << random;
  }
  EXPECT_TRUE(seen_flip[0] && seen_flip[1]);
}

}  // namespace
}  // namespace fairlap::data

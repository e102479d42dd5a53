#include "worker/data/care_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "gray_fixtures.h"
#include "jpeg_fixtures.h"
#include "worker/data/pipeline.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kSize = 4;

std::unique_ptr<Dataset> Open(const fs::path& folder, int64_t size = kSize) {
  auto dataset = OpenCarePairs(folder, size, {});
  EXPECT_TRUE(dataset.has_value()) << dataset.error().message;
  return dataset ? std::move(*dataset) : nullptr;
}

std::string OpenError(const fs::path& folder) {
  const auto dataset = OpenCarePairs(folder, kSize, {});
  return dataset ? "" : dataset.error().message;
}

base::Result<std::vector<float>> LoadPixels(const Dataset& dataset, const SampleRequest& request) {
  Scratch scratch;
  std::vector<float> pixels(static_cast<size_t>(2 * dataset.image_size() * dataset.image_size()));
  const auto loaded = dataset.Load(request, pixels, scratch);
  if (!loaded) return tl::unexpected(loaded.error());
  return pixels;
}

std::vector<std::string> NamesOf(const Dataset& dataset) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < dataset.size(); ++i) names.push_back(dataset.SampleName(i));
  return names;
}

// `count` values from `start` on, each `step` above the one before.
Gray Ramp(int64_t width, int64_t height, int64_t start = 0, int64_t step = 1) {
  return PaintGray(width, height,
                   [=](int64_t x, int64_t y) { return start + step * (y * width + x); });
}

TEST(OpenCarePairs, PairsFilesByNameInByteOrder) {
  const TemporaryFolder folder;
  for (const char* name : {"b.png", "a.TIF", "a.png", "B.Tiff", "10.tif", "9.tif"}) {
    folder.Write(std::string("noisy/") + name, "xx");
    folder.Write(std::string("clean/") + name, "y");
  }
  folder.Write("noisy/.hidden.png", "x");
  folder.Write("noisy/notes.txt", "x");
  folder.Write("low/other.png", "x");
  const auto dataset = Open(folder.path());
  EXPECT_THAT(NamesOf(*dataset), ElementsAre("noisy/10.tif", "noisy/9.tif", "noisy/B.Tiff",
                                             "noisy/a.TIF", "noisy/a.png", "noisy/b.png"));
  EXPECT_EQ(dataset->bytes(), 18);
  EXPECT_EQ(dataset->kind(), SampleKind::kImagePair);
  EXPECT_THAT(dataset->classes(), IsEmpty());
}

TEST(OpenCarePairs, TakesCsbDeepsFolderNamesToo) {
  const TemporaryFolder folder;
  folder.Write("low/1.tif", MakeTiff(Ramp(4, 4)));
  folder.Write("GT/1.tif", MakeTiff(Ramp(4, 4, 15, -1)));
  const auto dataset = Open(folder.path());
  EXPECT_THAT(NamesOf(*dataset), ElementsAre("low/1.tif"));
  const auto pixels = LoadPixels(*dataset, {});
  ASSERT_TRUE(pixels.has_value());
  EXPECT_LT((*pixels)[0], (*pixels)[15]);
  EXPECT_GT((*pixels)[16], (*pixels)[31]);
}

TEST(OpenCarePairs, NamesAFileWithoutAPartnerAndTheFolderThatLacksIt) {
  const TemporaryFolder folder;
  for (const char* name : {"noisy/1.png", "clean/1.png", "noisy/2.png"}) folder.Write(name, "x");
  const std::string root = folder.path().string();
  EXPECT_EQ(
      OpenError(folder.path()),
      root + "/noisy/2.png: has no partner; expected a file of that name in " + root + "/clean");
  folder.Write("clean/2.png", "x");
  folder.Write("clean/2.tif", "x");
  EXPECT_EQ(
      OpenError(folder.path()),
      root + "/clean/2.tif: has no partner; expected a file of that name in " + root + "/noisy");
}

TEST(OpenCarePairs, SaysWhatItExpectedInAnUnfitFolder) {
  const TemporaryFolder empty, flat, half, hollow;
  flat.Write("1.png", "x");
  half.Write("noisy/1.png", "x");
  hollow.Write("noisy/readme.txt", "x");
  hollow.Write("clean/readme.txt", "x");
  EXPECT_THAT(OpenError(empty.path()), HasSubstr("is empty; expected the folders noisy and clean"));
  EXPECT_THAT(OpenError(flat.path()), HasSubstr("holds no image pairs; expected the folders"));
  EXPECT_THAT(OpenError(half.path()), HasSubstr("clean: cannot read this folder: No such file"));
  EXPECT_THAT(OpenError(hollow.path()), HasSubstr("noisy: this folder holds no *.tif, *.tiff or"));
  EXPECT_THAT(OpenError(empty.path() / "train"), EndsWith("No such file or directory"));
}

TEST(OpenCarePairs, HasAnIdentityOfPathsAndSizes) {
  const auto identity = [](const std::string& name, const char* noisy, const char* clean) {
    const TemporaryFolder folder;
    folder.Write("noisy/" + name, noisy);
    folder.Write("clean/" + name, clean);
    return Open(folder.path())->identity();
  };
  const std::string one = identity("1.png", "xx", "y");
  EXPECT_EQ(one.size(), 64U);
  EXPECT_EQ(identity("1.png", "ab", "c"), one);
  EXPECT_NE(identity("1.png", "x", "yy"), one);
  EXPECT_NE(identity("2.png", "xx", "y"), one);
}

TEST(OpenCarePairs, EndsOnAStopRequest) {
  const TemporaryFolder folder;
  folder.Write("noisy/1.png", "x");
  folder.Write("clean/1.png", "x");
  std::stop_source stop;
  stop.request_stop();
  const auto dataset = OpenCarePairs(folder.path(), kSize, stop.get_token());
  ASSERT_FALSE(dataset.has_value());
  EXPECT_EQ(dataset.error().kind, base::ErrorKind::kInterrupted);
}

TEST(OpenDataset, OpensImagePairsInTheSplitsFolder) {
  const TemporaryFolder folder;
  for (const char* name :
       {"train/noisy/1.png", "train/clean/1.png", "held/low/2.tif", "held/GT/2.tif"}) {
    folder.Write(name, "x");
  }
  DatasetOptions options{.spec = {}, .root = folder.path(), .image_size = 64};
  options.spec.format = api::DatasetFormat::kCarePairs;
  options.spec.validation_path = "held";
  for (const Split split : {Split::kTrain, Split::kValidation}) {
    options.split = split;
    const auto dataset = OpenDataset(options, {});
    ASSERT_TRUE(dataset.has_value()) << dataset.error().message;
    EXPECT_THAT(NamesOf(**dataset),
                ElementsAre(split == Split::kTrain ? "noisy/1.png" : "low/2.tif"));
  }
}

// 100 values 0 to 99: the 2nd percentile lies at rank 99 * 0.02 = 1.98, the 99.8th at 98.802. Of
// their squares, the former is 1 + 0.98 * 3 = 3.94, the latter 98^2 + 0.802 * 197 = 9761.994.
TEST(CarePairs, NormalisesEachImageByItsOwnPercentiles) {
  const TemporaryFolder folder;
  folder.Write("noisy/1.png", MakePng(Ramp(10, 10), {.bits = 8}));
  folder.Write("clean/1.png", MakeTiff(PaintGray(10, 10, [](int64_t x, int64_t y) {
                 return (10 * y + x) * (10 * y + x);
               })));
  const auto dataset = Open(folder.path());
  for (const PixelOrder order : {PixelOrder::kChannelsFirst, PixelOrder::kChannelsLast}) {
    const auto pixels = LoadPixels(*dataset, {.order = order});
    ASSERT_TRUE(pixels.has_value()) << pixels.error().message;
    for (int64_t y = 0; y < kSize; ++y) {
      for (int64_t x = 0; x < kSize; ++x) {
        const double value = static_cast<double>(10 * (y + 3) + x + 3);  // the middle of 10
        const auto at = static_cast<size_t>(y * kSize + x);
        EXPECT_NEAR((*pixels)[at], (value - 1.98) / (98.802 - 1.98), 1e-6);
        EXPECT_NEAR((*pixels)[16 + at], (value * value - 3.94) / (9761.994 - 3.94), 1e-6);
      }
    }
  }
}

TEST(CarePairs, DoesNotClipWhatLiesBeyondThePercentiles) {
  const TemporaryFolder folder;
  folder.Write("noisy/1.png", MakePng(Ramp(30, 30)));
  folder.Write("clean/1.png", MakePng(Ramp(30, 30)));
  const auto pixels = LoadPixels(*Open(folder.path(), 30), {});
  ASSERT_TRUE(pixels.has_value());
  EXPECT_NEAR((*pixels)[0], -17.98 / (897.202 - 17.98), 1e-6);
  EXPECT_NEAR((*pixels)[899], (899 - 17.98) / (897.202 - 17.98), 1e-6);
}

// Where the patch of a 40 x 31 ramp begins, told by its first normalised value.
int64_t PlaceOf(const std::vector<float>& pixels) {
  const double low = 1239 * 0.02, high = 1239 * 0.998;
  return std::lround(static_cast<double>(pixels[0]) * (high - low) + low);
}

TEST(CarePairs, TakesARandomPatchAtTheSamePlaceOfBoth) {
  const TemporaryFolder folder;
  folder.Write("noisy/1.png", MakePng(Ramp(40, 31)));
  folder.Write("clean/1.png", MakePng(Ramp(40, 31, 500, 7)));  // the same once normalised
  const auto dataset = Open(folder.path(), 16);
  std::set<int64_t> columns, rows;
  for (uint64_t random = 0; random < 400; ++random) {
    const SampleRequest request{.random = random, .augment = true};
    const auto pixels = LoadPixels(*dataset, request);
    ASSERT_TRUE(pixels.has_value());
    for (size_t i = 0; i < 256; ++i) ASSERT_NEAR((*pixels)[i], (*pixels)[256 + i], 1e-5);
    EXPECT_EQ(*LoadPixels(*dataset, request), *pixels);
    columns.insert(PlaceOf(*pixels) % 40);
    rows.insert(PlaceOf(*pixels) / 40);
  }
  EXPECT_EQ(columns.size(), 25U);  // 0 to 40 - 16
  EXPECT_EQ(*columns.rbegin(), 24);
  EXPECT_EQ(rows.size(), 16U);
  EXPECT_EQ(*rows.rbegin(), 15);
  EXPECT_EQ(PlaceOf(*LoadPixels(*dataset, {.random = 3})), 7 * 40 + 12);
}

TEST(CarePairs, GivesTheReasonForEachUnusablePair) {
  const TemporaryFolder folder;
  const std::string good = MakePng(Ramp(64, 64));
  const auto add = [&folder](const std::string& noisy, const std::string& clean) {
    static int number = 10;
    const std::string name = "/" + std::to_string(number++) + ".png";
    folder.Write("noisy" + name, noisy);
    folder.Write("clean" + name, clean);
  };
  add(good.substr(0, 99), good);
  add(good, good.substr(0, 99));
  add(good, MakePng(Ramp(64, 64), {.bits = 8, .channels = 3}));
  add(MakePng(Ramp(64, 48)), good);
  add(good, MakePng(Ramp(64, 60)));
  add(good, MakePng(Ramp(64, 64, 9, 0)));
  add("", good);
  add(good, good);
  const auto dataset = Open(folder.path(), 64);
  fs::remove(folder.path() / "clean/17.png");
  std::vector<std::string> reasons;
  for (int64_t i = 0; i < dataset->size(); ++i) {
    const auto pixels = LoadPixels(*dataset, {.index = i});
    reasons.push_back(pixels ? "" : pixels.error().message);
  }
  EXPECT_THAT(reasons,
              ElementsAre("truncated PNG", "the clean image: truncated PNG",
                          "the clean image: a 3-channel image; expected grayscale",
                          "64 x 48 pixels, smaller than the patch of 64",
                          "the clean image is 64 x 60, the noisy one 64 x 64",
                          "the clean image: its 2nd and 99.8th percentiles are equal, so it cannot "
                          "be normalised",
                          "is empty", "the clean image: cannot open: No such file or directory"));
}

TEST(CarePairs, CountsWhatItReadAndSpentOnBoth) {
  const TemporaryFolder folder;
  const std::string noisy = MakePng(Ramp(50, 50)), clean = MakeTiff(Ramp(50, 50));
  folder.Write("noisy/1.png", noisy);
  folder.Write("clean/1.png", clean);
  const auto dataset = Open(folder.path());
  Scratch scratch;
  std::vector<float> pixels(2 * kSize * kSize);
  const auto loaded = dataset->Load({}, pixels, scratch);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->label, 0);
  EXPECT_EQ(loaded->cost.bytes, std::ssize(noisy) + std::ssize(clean));
  EXPECT_GT(loaded->cost.read.count(), 0);
  EXPECT_GT(loaded->cost.decode.count(), 0);
  EXPECT_GT(loaded->cost.transform.count(), 0);
}

TEST(Pipeline, CarriesPairsAndSkipsABadOne) {
  const TemporaryFolder folder;
  for (int64_t i = 0; i < 5; ++i) {
    const std::string name = "/" + std::to_string(i) + ".png";
    folder.Write("noisy" + name, i == 2 ? "no image" : MakePng(Ramp(8, 8, 10 * i, i + 1)));
    folder.Write("clean" + name, MakePng(Ramp(8, 8, 5000, -(i + 1))));
  }
  const auto dataset = Open(folder.path());
  Pipeline pipeline(*dataset,
                    {.batch_size = 5, .threads = 2, .seed = 3, .epochs = 1, .max_bad_files = 1});
  const auto batch = pipeline.Next({});
  ASSERT_TRUE(batch.has_value() && batch->has_value());
  ASSERT_EQ((*batch)->size, 4);
  ASSERT_EQ((*batch)->pixels.size(), 4U * 2 * kSize * kSize);
  EXPECT_THAT(std::vector<int64_t>((*batch)->labels.begin(), (*batch)->labels.end()),
              ElementsAre(0, 0, 0, 0));
  for (int64_t i = 0; i < (*batch)->size; ++i) {
    // One ramp goes up where the other goes down, so that the two add up to 1 after normalisation
    // but for what the percentiles are not symmetric: ranks 63 * 0.02 and 63 * 0.998.
    const auto sample = (*batch)->pixels.subspan(static_cast<size_t>(i) * 32, 32);
    for (size_t k = 0; k < 16; ++k) {
      EXPECT_NEAR(sample[k] + sample[16 + k], (63 - 2 * 1.26) / (62.874 - 1.26), 1e-5);
    }
  }
  ASSERT_EQ(pipeline.BadSamples().size(), 1U);
  EXPECT_EQ(pipeline.BadSamples()[0].path, "noisy/2.png");
  EXPECT_EQ(pipeline.BadSamples()[0].reason, "is not a PNG or TIFF file");
}

}  // namespace
}  // namespace fairlap::data

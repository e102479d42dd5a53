#include "worker/data/image_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "jpeg_fixtures.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kSize = 32;
constexpr float kMean[] = {0.485F, 0.456F, 0.406F};
constexpr float kDeviation[] = {0.229F, 0.224F, 0.225F};

std::unique_ptr<Dataset> Open(const fs::path& folder, int64_t size = kSize) {
  auto dataset = OpenImageFolder(folder, size, {});
  EXPECT_TRUE(dataset.has_value()) << dataset.error().message;
  return dataset ? std::move(*dataset) : nullptr;
}

std::string OpenError(const fs::path& folder) {
  const auto dataset = OpenImageFolder(folder, kSize, {});
  return dataset ? "" : dataset.error().message;
}

base::Result<std::vector<float>> LoadPixels(const Dataset& dataset, const SampleRequest& request) {
  Scratch scratch;
  std::vector<float> pixels(static_cast<size_t>(3 * dataset.image_size() * dataset.image_size()));
  const auto loaded = dataset.Load(request, pixels, scratch);
  if (!loaded) return tl::unexpected(loaded.error());
  return pixels;
}

// Back to 0 to 255.
float Level(float value, int channel) {
  return 255 * (value * kDeviation[channel] + kMean[channel]);
}

TEST(OpenImageFolder, OrdersClassesAndFilesByBytes) {
  const TemporaryFolder folder;
  for (const char* name : {"b/2.jpg", "b/10.JPG", "B/x.Jpeg", "a/deep/1.jpeg", "a/0.jpg"}) {
    folder.Write(name, "x");
  }
  folder.Write("a/notes.txt", "no image");
  folder.Write(".hidden/1.jpg", "x");
  folder.Write("stray.jpg", "x");
  const auto dataset = Open(folder.path());
  EXPECT_THAT(dataset->classes(), ElementsAre("B", "a", "b"));
  std::vector<std::string> names;
  for (int64_t i = 0; i < dataset->size(); ++i) names.push_back(dataset->SampleName(i));
  EXPECT_THAT(names, ElementsAre("B/x.Jpeg", "a/0.jpg", "a/deep/1.jpeg", "b/10.JPG", "b/2.jpg"));
  EXPECT_EQ(dataset->bytes(), 5);
}

TEST(OpenImageFolder, HasAnIdentityOfPathsAndSizes) {
  const TemporaryFolder one, same, longer, renamed;
  one.Write("a/1.jpg", "xx");
  same.Write("a/1.jpg", "yy");
  longer.Write("a/1.jpg", "xxx");
  renamed.Write("a/2.jpg", "xx");
  const std::string identity = Open(one.path())->identity();
  EXPECT_EQ(identity.size(), 64U);
  EXPECT_EQ(Open(same.path())->identity(), identity);
  EXPECT_NE(Open(longer.path())->identity(), identity);
  EXPECT_NE(Open(renamed.path())->identity(), identity);
}

TEST(OpenImageFolder, SaysWhatItExpectedInAnUnfitFolder) {
  const TemporaryFolder empty, flat, hollow;
  flat.Write("1.jpg", "x");
  hollow.Write("cat/readme.txt", "x");
  EXPECT_THAT(OpenError(empty.path()), HasSubstr("is empty; expected one folder"));
  EXPECT_THAT(OpenError(flat.path()), HasSubstr("holds no folders; expected one folder"));
  EXPECT_THAT(OpenError(hollow.path()), HasSubstr("cat: this class folder holds no *.jpg"));
  EXPECT_THAT(OpenError(empty.path() / "train"), HasSubstr("No such file or directory"));
}

TEST(OpenImageFolder, EndsOnAStopRequest) {
  const TemporaryFolder folder;
  folder.Write("a/1.jpg", "x");
  std::stop_source stop;
  stop.request_stop();
  const auto dataset = OpenImageFolder(folder.path(), kSize, stop.get_token());
  ASSERT_FALSE(dataset.has_value());
  EXPECT_EQ(dataset.error().kind, base::ErrorKind::kInterrupted);
}

TEST(ImageFolder, CutsTheMiddleForValidationInBothPixelOrders) {
  const TemporaryFolder folder;
  const Canvas canvas = PaintGradient(96, 64);
  folder.Write("a/1.jpg", MakeJpeg(canvas, {.subsampled = false}));
  const auto dataset = Open(folder.path());
  const auto planar = LoadPixels(*dataset, {});
  const auto interleaved = LoadPixels(*dataset, {.order = PixelOrder::kChannelsLast});
  ASSERT_TRUE(planar && interleaved);
  // Shorter edge 64 -> 36, so one target pixel is 64/36 source pixels; 54 x 36 is cut at 11 and 2.
  for (int64_t v = 0; v < kSize; ++v) {
    for (int64_t u = 0; u < kSize; ++u) {
      const double x = (11.0 + static_cast<double>(u) + 0.5) * 96 / 54;
      const double y = (2.0 + static_cast<double>(v) + 0.5) * 64 / 36;
      const auto red = static_cast<float>(255 * (x - 0.5) / 96);
      const auto green = static_cast<float>(255 * (y - 0.5) / 64);
      const auto at = static_cast<size_t>(v * kSize + u);
      ASSERT_NEAR(Level((*planar)[at], 0), red, 4);
      ASSERT_NEAR(Level((*planar)[kSize * kSize + at], 1), green, 4);
      for (size_t c = 0; c < 3; ++c) {
        ASSERT_EQ((*planar)[c * kSize * kSize + at], (*interleaved)[3 * at + c]);
      }
    }
  }
}

// Stored pixel (x, y) of an image is seen at...
std::pair<int64_t, int64_t> Upright(int orientation, int64_t x, int64_t y, int64_t w, int64_t h) {
  switch (orientation) {
    case 2: return {w - 1 - x, y};
    case 3: return {w - 1 - x, h - 1 - y};
    case 4: return {x, h - 1 - y};
    case 5: return {y, x};
    case 6: return {h - 1 - y, x};
    case 7: return {h - 1 - y, w - 1 - x};
    case 8: return {y, w - 1 - x};
    default: return {x, y};
  }
}

TEST(ImageFolder, TurnsExifOrientationsUpright) {
  const TemporaryFolder folder;
  const Canvas upright = PaintGradient(64, 48);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const bool turned = orientation >= 5;
    const int64_t w = turned ? 48 : 64, h = turned ? 64 : 48;
    const Canvas stored = Paint(w, h, 3, [&](int64_t x, int64_t y, int c) {
      const auto [ux, uy] = Upright(orientation, x, y, w, h);
      return upright.At(ux, uy, c);
    });
    folder.Write("a/" + std::to_string(orientation) + ".jpg",
                 MakeJpeg(stored, {.exif_orientation = orientation,
                                   .big_endian_exif = orientation % 2 == 0,
                                   .subsampled = false}));
  }
  const auto dataset = Open(folder.path());
  for (const bool augment : {false, true}) {
    const auto expected = LoadPixels(*dataset, {.index = 0, .random = 9, .augment = augment});
    ASSERT_TRUE(expected.has_value());
    for (int64_t i = 1; i < 8; ++i) {
      const auto pixels = LoadPixels(*dataset, {.index = i, .random = 9, .augment = augment});
      ASSERT_TRUE(pixels.has_value());
      for (size_t k = 0; k < pixels->size(); ++k) {
        ASSERT_NEAR((*pixels)[k], (*expected)[k], 0.12)
            << "orientation " << i + 1 << ", augmented " << augment << ", value " << k;
      }
    }
  }
}

TEST(ImageFolder, AugmentsByItsRandomSeedAlone) {
  const TemporaryFolder folder;
  folder.Write("a/1.jpg", MakeJpeg(PaintBusy(200, 150)));
  const auto dataset = Open(folder.path());
  const auto load = [&](uint64_t random) {
    return *LoadPixels(*dataset, {.index = 0, .random = random, .augment = true});
  };
  EXPECT_EQ(load(1), load(1));
  EXPECT_NE(load(1), load(2));
}

TEST(ImageFolder, AgreesAcrossDecodingScales) {
  const TemporaryFolder folder;
  folder.Write("a/1.jpg", MakeJpeg(PaintGradient(1024, 768), {.subsampled = false}));
  folder.Write("a/2.jpg", MakeJpeg(PaintGradient(96, 72), {.subsampled = false}));
  const auto dataset = Open(folder.path());
  const auto scaled = LoadPixels(*dataset, {.index = 0});
  const auto whole = LoadPixels(*dataset, {.index = 1});
  ASSERT_TRUE(scaled && whole);
  for (size_t k = 0; k < scaled->size(); ++k) ASSERT_NEAR((*scaled)[k], (*whole)[k], 0.1);
}

TEST(ImageFolder, CountsWhatItReadAndSpent) {
  const TemporaryFolder folder;
  const std::string file = MakeJpeg(PaintBusy(200, 150));
  folder.Write("a/1.jpg", MakeJpeg(PaintBusy(20, 15)));
  folder.Write("b/1.jpg", file);
  const auto dataset = Open(folder.path());
  Scratch scratch;
  std::vector<float> pixels(3 * kSize * kSize);
  const auto loaded = dataset->Load({.index = 1}, pixels, scratch);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->label, 1);
  EXPECT_EQ(loaded->cost.bytes, std::ssize(file));
  EXPECT_GT(loaded->cost.read.count(), 0);
  EXPECT_GT(loaded->cost.decode.count(), 0);
  EXPECT_GT(loaded->cost.transform.count(), 0);
}

TEST(ImageFolder, GivesTheReasonForEachUnusableFile) {
  const TemporaryFolder folder;
  const std::string good = MakeJpeg(PaintBusy(64, 48));
  folder.Write("a/0.jpg", good.substr(0, good.size() / 2));
  folder.Write("a/1.jpg", "");
  folder.Write("a/2.jpg", "a text file\n");
  fs::create_directory(folder.path() / "a/3.jpg");
  fs::create_symlink("4.jpg", folder.path() / "a/4.jpg");
  ASSERT_EQ(::mkfifo((folder.path() / "a/5.jpg").c_str(), 0600), 0);
  folder.Write("a/6.jpg", good);
  const auto dataset = Open(folder.path());
  fs::remove(folder.path() / "a/6.jpg");
  std::vector<std::string> reasons;
  for (int64_t i = 0; i < dataset->size(); ++i) {
    const auto pixels = LoadPixels(*dataset, {.index = i});
    reasons.push_back(pixels ? "" : pixels.error().message);
  }
  EXPECT_THAT(
      reasons,
      ElementsAre("truncated JPEG", "is empty", "is not a JPEG file", "cannot read: Is a directory",
                  "cannot open: Too many levels of symbolic links", "is not a regular file",
                  "cannot open: No such file or directory"));
}

// Root may read everything, so its rights are put aside for a moment.
class WithoutRights {
 public:
  WithoutRights() : user_(::geteuid()) {
    if (user_ == 0) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  ~WithoutRights() { EXPECT_EQ(::seteuid(user_), 0); }

 private:
  uid_t user_;
};

TEST(ImageFolder, SaysThatAFileMayNotBeRead) {
  const TemporaryFolder folder;
  folder.Write("a/1.jpg", MakeJpeg(PaintBusy(64, 48)));
  fs::permissions(folder.path(), fs::perms::all);
  const auto dataset = Open(folder.path());
  fs::permissions(folder.path() / "a/1.jpg", fs::perms::none);
  const WithoutRights rights;
  const auto pixels = LoadPixels(*dataset, {});
  ASSERT_FALSE(pixels.has_value());
  EXPECT_EQ(pixels.error().message, "cannot open: Permission denied");
}

TEST(OpenImageFolder, IsNotCaughtInALoopOfLinks) {
  const TemporaryFolder folder;
  folder.Write("a/1.jpg", "x");
  fs::create_directory_symlink(folder.path(), folder.path() / "a/loop");
  fs::create_directory_symlink("self", folder.path() / "self");
  EXPECT_EQ(Open(folder.path())->size(), 1);
}

}  // namespace
}  // namespace fairlap::data

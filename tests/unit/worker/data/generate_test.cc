#include "worker/data/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "jpeg_fixtures.h"
#include "lib/base/json.h"
#include "worker/data/dataset.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::map<std::string, std::string> Files(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[fs::relative(entry.path(), folder).string()] = Read(entry.path());
  }
  return files;
}

GenerateOptions Small(const fs::path& out) {
  return {.out = out, .classes = 3, .images = 10, .seed = 5, .from = {}, .typical_width = 60};
}

struct Format {
  const char* name;
  decltype(&GenerateCifar10) generate;
  // What Small() gives.
  int64_t classes, validation_images, images;
};
const Format kFormats[] = {{"ImageFolder", &GenerateImageFolder, 3, 3, 13},
                           {"Cifar10", &GenerateCifar10, 3, 3, 13},
                           {"CarePairs", &GenerateCarePairs, 0, 2, 24}};

class Generate : public ::testing::TestWithParam<Format> {
 protected:
  static GeneratedDataset Make(const GenerateOptions& options) {
    const auto made = GetParam().generate(options, {}, {});
    EXPECT_TRUE(made.has_value()) << made.error().message;
    return made.value_or(GeneratedDataset{});
  }
  static base::Error ErrorOf(const GenerateOptions& options) {
    const auto made = GetParam().generate(options, {}, {});
    EXPECT_FALSE(made.has_value());
    return made ? base::Error{} : made.error();
  }
};
class GenerateClasses : public Generate {};

const auto kFormatName = [](const auto& format) { return std::string(format.param.name); };
INSTANTIATE_TEST_SUITE_P(EveryFormat, Generate, ::testing::ValuesIn(kFormats), kFormatName);
INSTANTIATE_TEST_SUITE_P(FormatsWithLabels, GenerateClasses,
                         ::testing::Values(kFormats[0], kFormats[1]), kFormatName);

TEST_P(Generate, MakesTheSameBytesForASeedAndOthersForAnother) {
  const TemporaryFolder folder;
  GenerateOptions options = Small(folder.path() / "one");
  const GeneratedDataset one = Make(options);
  options.out = folder.path() / "two";
  const GeneratedDataset two = Make(options);
  EXPECT_EQ(Files(folder.path() / "one"), Files(folder.path() / "two"));
  EXPECT_EQ(one.sha256, two.sha256);
  options.out = folder.path() / "three";
  options.seed = 6;
  EXPECT_NE(Make(options).sha256, one.sha256);
}

TEST_P(Generate, WritesAManifestOfWhatItMade) {
  const TemporaryFolder folder;
  const GeneratedDataset made = Make(Small(folder.path()));
  EXPECT_EQ(made.classes, GetParam().classes);
  EXPECT_EQ(made.train_images, 10);
  EXPECT_EQ(made.validation_images, GetParam().validation_images);
  const auto manifest = base::ParseJson(Read(folder.path() / kDatasetManifestName), "manifest");
  ASSERT_TRUE(manifest.has_value());
  EXPECT_EQ((*manifest)["generator"], "fairlap");
  EXPECT_EQ((*manifest)["description"]["seed"], 5);
  EXPECT_EQ((*manifest)["sha256"], made.sha256);
  int64_t bytes = 0;
  for (const auto& [path, content] : Files(folder.path())) {
    if (path != kDatasetManifestName) bytes += std::ssize(content);
  }
  EXPECT_EQ(made.bytes, bytes);
}

TEST_P(Generate, FindsADataSetThatIsAlreadyThere) {
  const TemporaryFolder folder;
  const GeneratedDataset made = Make(Small(folder.path()));
  int64_t calls = 0;
  const auto again =
      GetParam().generate(Small(folder.path()), [&](int64_t, int64_t) { ++calls; }, {});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(again->sha256, made.sha256);
  EXPECT_EQ(again->bytes, made.bytes);
}

TEST_P(Generate, ReplacesACompleteDataSetOnlyIfAskedTo) {
  const TemporaryFolder folder;
  GenerateOptions options = Small(folder.path() / "a");
  options.images = 20;
  Make(options);
  options.images = 10;
  const auto before = Files(options.out);
  const base::Error error = ErrorOf(options);
  EXPECT_EQ(error.kind, base::ErrorKind::kConflict);
  EXPECT_THAT(error.message, HasSubstr("holds another generated data set"));
  EXPECT_EQ(Files(options.out), before);
  options.overwrite = true;
  Make(options);
  Make(Small(folder.path() / "b"));
  EXPECT_EQ(Files(folder.path() / "a"), Files(folder.path() / "b"));
}

TEST_P(Generate, LeavesAForeignFolderAlone) {
  const TemporaryFolder folder;
  folder.Write("thesis.txt", "years of work");
  const base::Error error = ErrorOf(Small(folder.path()));
  EXPECT_EQ(error.kind, base::ErrorKind::kConflict);
  EXPECT_THAT(error.message, HasSubstr("is not empty"));
  EXPECT_EQ(Files(folder.path()).size(), 1U);
}

TEST_P(Generate, LeavesAFileBesideItsOwnAlone) {
  const TemporaryFolder folder;
  Make(Small(folder.path()));
  folder.Write("thesis.txt", "years of work");
  GenerateOptions options = Small(folder.path());
  options.seed = 9;
  options.overwrite = true;
  const auto before = Files(folder.path());
  const base::Error error = ErrorOf(options);
  EXPECT_EQ(error.kind, base::ErrorKind::kConflict);
  EXPECT_THAT(error.message, HasSubstr("thesis.txt: was not generated by us"));
  EXPECT_EQ(Files(folder.path()), before);
}

TEST_P(Generate, StopsWithoutAManifestAndStartsOver) {
  const TemporaryFolder folder;
  std::stop_source stop;
  std::vector<int64_t> done;
  const auto made = GetParam().generate(
      Small(folder.path()),
      [&](int64_t count, int64_t total) {
        EXPECT_EQ(total, GetParam().images);
        done.push_back(count);
        if (count == 2) stop.request_stop();
      },
      stop.get_token());
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, base::ErrorKind::kInterrupted);
  EXPECT_THAT(done, ElementsAre(1, 2));
  EXPECT_FALSE(fs::exists(folder.path() / kDatasetManifestName));
  Make(Small(folder.path()));
}

TEST_P(GenerateClasses, RefusesFewerImagesThanClasses) {
  const TemporaryFolder folder;
  GenerateOptions options = Small(folder.path());
  options.images = 2;
  EXPECT_EQ(ErrorOf(options).kind, base::ErrorKind::kInvalidInput);
  options.images = 100'000;
  options.classes = 100'001;
  EXPECT_EQ(ErrorOf(options).kind, base::ErrorKind::kInvalidInput);
}

// Stands in for a full disk: the system refuses files of more than a few bytes.
TEST_P(Generate, NamesTheFileThatCouldNotBeWritten) {
  const TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{200, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto made = GetParam().generate(Small(folder.path()), {}, {});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, base::ErrorKind::kIo);
  EXPECT_THAT(made.error().message, HasSubstr(folder.path().string() + "/"));
  EXPECT_THAT(made.error().message, HasSubstr("File too large"));
  EXPECT_FALSE(fs::exists(folder.path() / kDatasetManifestName));
}

TEST(GenerateImageFolder, MakesAFolderThatOpensAndDecodes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(GenerateImageFolder(Small(folder.path()), {}, {}).has_value());
  for (const Split split : {Split::kTrain, Split::kValidation}) {
    DatasetOptions options{.spec = {}, .root = folder.path(), .split = split, .image_size = 32};
    options.spec.format = api::DatasetFormat::kImageFolder;
    const auto dataset = OpenDataset(options, {});
    ASSERT_TRUE(dataset.has_value()) << dataset.error().message;
    EXPECT_THAT((*dataset)->classes(), ElementsAre("class_0000", "class_0001", "class_0002"));
    EXPECT_EQ((*dataset)->size(), split == Split::kTrain ? 10 : 3);
    Scratch scratch;
    std::vector<float> pixels(3 * 32 * 32);
    for (int64_t i = 0; i < (*dataset)->size(); ++i) {
      EXPECT_TRUE((*dataset)->Load({.index = i}, pixels, scratch).has_value());
    }
  }
}

TEST(GenerateImageFolder, SpreadsSizesAsImageNetDoes) {
  const TemporaryFolder folder;
  GenerateOptions options = Small(folder.path());
  options.images = 200;
  options.typical_width = 100;
  ASSERT_TRUE(GenerateImageFolder(options, {}, {}).has_value());
  double width = 0, height = 0;
  int64_t smallest = 1'000'000, largest = 0, count = 0;
  for (const auto& [path, content] : Files(folder.path() / "train")) {
    JpegDecoder decoder;
    const auto size =
        decoder.Open({reinterpret_cast<const uint8_t*>(content.data()), content.size()});
    ASSERT_TRUE(size.has_value());
    decoder.Finish();
    width += static_cast<double>(size->width);
    height += static_cast<double>(size->height);
    smallest = std::min(smallest, size->width * size->height);
    largest = std::max(largest, size->width * size->height);
    ++count;
  }
  EXPECT_NEAR(width / static_cast<double>(count), 97, 10);
  EXPECT_NEAR(height / static_cast<double>(count), 80, 10);
  EXPECT_LT(smallest, 40 * 40);
  EXPECT_GT(largest, 200 * 140);
}

TEST(GenerateImageFolder, CutsClassesOutOfPhotographs) {
  const TemporaryFolder photographs, out;
  photographs.Write("blue sky.jpg", MakeJpeg(Paint(200, 100, 3, [](int64_t, int64_t, int c) {
                      return static_cast<uint8_t>(c == 2 ? 220 : 30);
                    })));
  photographs.Write("apple.JPEG", MakeJpeg(PaintGradient(120, 180)));
  photographs.Write("notes.txt", "no photograph");
  GenerateOptions options = Small(out.path());
  options.classes = 0;
  options.from = photographs.path();
  const auto made = GenerateImageFolder(options, {}, {});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->classes, 2);
  EXPECT_EQ(made->train_images, 10);
  DatasetOptions dataset_options{.spec = {}, .root = out.path(), .image_size = 16};
  dataset_options.spec.format = api::DatasetFormat::kImageFolder;
  const auto dataset = OpenDataset(dataset_options, {});
  ASSERT_TRUE(dataset.has_value());
  EXPECT_THAT((*dataset)->classes(), ElementsAre("apple", "blue_sky"));
  Scratch scratch;
  std::vector<float> pixels(3 * 16 * 16);
  ASSERT_TRUE((*dataset)->Load({.index = 7}, pixels, scratch).has_value());
  EXPECT_GT(pixels[2 * 256], pixels[0]);  // bluer than red
}

TEST(GenerateImageFolder, SaysWhatIsWrongWithPhotographs) {
  const TemporaryFolder empty, broken, out;
  broken.Write("broken.jpg", "text");
  GenerateOptions options = Small(out.path());
  options.from = empty.path();
  const auto message = [&options] {
    const auto made = GenerateImageFolder(options, {}, {});
    return made ? std::string() : made.error().message;
  };
  EXPECT_THAT(message(), HasSubstr("holds 0 photographs (*.jpg, *.jpeg); expected at least 3"));
  options.from = broken.path();
  options.classes = 1;
  EXPECT_THAT(message(), HasSubstr("broken.jpg: is not a JPEG file"));
  broken.Write("broken.jpg", MakeJpeg(PaintGradient(63, 80)));
  EXPECT_THAT(message(), HasSubstr("broken.jpg: is smaller than 64 x 64 pixels"));
  options.from = out.path() / "nowhere";
  EXPECT_THAT(message(), HasSubstr("nowhere: cannot read this folder"));
}

TEST(GenerateCifar10, MakesFilesThatReadBackWithEveryClass) {
  const TemporaryFolder folder;
  GenerateOptions options = Small(folder.path());
  options.classes = 10;
  options.images = 53;
  ASSERT_TRUE(GenerateCifar10(options, {}, {}).has_value());
  DatasetOptions dataset_options{.spec = {}, .root = folder.path(), .image_size = 32};
  dataset_options.spec.format = api::DatasetFormat::kCifar10;
  const auto dataset = OpenDataset(dataset_options, {});
  ASSERT_TRUE(dataset.has_value()) << dataset.error().message;
  EXPECT_EQ((*dataset)->size(), 53);
  EXPECT_EQ((*dataset)->classes().size(), 10U);
  EXPECT_EQ((*dataset)->classes()[9], "wide-rings");
  std::vector<int64_t> counts(10);
  Scratch scratch;
  std::vector<float> pixels(3 * 32 * 32);
  for (int64_t i = 0; i < 53; ++i) {
    ++counts[static_cast<size_t>((*dataset)->Load({.index = i}, pixels, scratch)->label)];
  }
  EXPECT_THAT(counts, ElementsAre(6, 6, 6, 5, 5, 5, 5, 5, 5, 5));
}

// A classifier by nearest mean colour must not do much better than chance.
TEST(GenerateCifar10, DoesNotGiveTheClassAwayByItsMeanColour) {
  const TemporaryFolder folder;
  GenerateOptions options = Small(folder.path());
  options.classes = 10;
  options.images = 2000;
  ASSERT_TRUE(GenerateCifar10(options, {}, {}).has_value());
  const auto means = [&folder](const std::string& name) {
    std::vector<std::pair<int, std::array<double, 3>>> result;
    const std::string records = Read(folder.path() / name);
    for (size_t at = 0; at < records.size(); at += 3073) {
      std::array<double, 3> mean{};
      for (size_t i = 0; i < 3072; ++i) {
        mean[i / 1024] += static_cast<uint8_t>(records[at + 1 + i]) / 1024.0;
      }
      result.emplace_back(records[at], mean);
    }
    return result;
  };
  std::array<std::array<double, 3>, 10> centres{};
  for (const auto& [label, mean] : means("data_batch_1.bin")) {
    for (size_t c = 0; c < 3; ++c) centres[static_cast<size_t>(label)][c] += mean[c] / 40;
  }
  int right = 0, all = 0;
  for (const auto& [label, mean] : means("test_batch.bin")) {
    const auto distance = [&mean = mean](const std::array<double, 3>& centre) {
      double sum = 0;
      for (size_t c = 0; c < 3; ++c) sum += (mean[c] - centre[c]) * (mean[c] - centre[c]);
      return sum;
    };
    const auto nearest =
        std::min_element(centres.begin(), centres.end(),
                         [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    right += nearest - centres.begin() == label ? 1 : 0;
    ++all;
  }
  EXPECT_LT(static_cast<double>(right) / all, 0.2);
}

}  // namespace
}  // namespace fairlap::data

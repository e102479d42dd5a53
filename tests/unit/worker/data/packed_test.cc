// Packing an image folder, and reading what was packed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "jpeg_fixtures.h"
#include "lib/base/json.h"
#include "worker/data/packed_folder.h"
#include "worker/data/packed_index.h"
#include "worker/data/packed_writer.h"
#include "worker/data/pipeline.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kSize = 32;

std::string Read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::map<std::string, std::string> Files(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), folder).string()] = Read(entry.path());
    }
  }
  return files;
}

// Three classes; 20 training and 3 validation images.
class Photos : public TemporaryFolder {
 public:
  Photos() {
    for (int64_t i = 0; i < 20; ++i) {
      const std::string name = "train/" + std::string(1, "abc"[i % 3]) + "/" + std::to_string(i);
      Write(name + (i % 2 == 0 ? ".jpg" : ".JPEG"), MakeJpeg(PaintBusy(40 + i, 60 - i)));
    }
    for (const char* name : {"val/a/1.jpg", "val/b/1.jpg", "val/c/1.jpg"}) {
      Write(name, MakeJpeg(PaintGradient(50, 40)));
    }
  }
};

PackOptions Into(const fs::path& data, const fs::path& out) {
  return {.data = data, .out = out, .shard_bytes = 20'000};
}

GeneratedDataset MustPack(const PackOptions& options) {
  const auto packed = PackImageFolder(options, {}, {});
  EXPECT_TRUE(packed.has_value()) << packed.error().message;
  return packed.value_or(GeneratedDataset{});
}

base::Error PackError(const PackOptions& options) {
  const auto packed = PackImageFolder(options, {}, {});
  EXPECT_FALSE(packed.has_value());
  return packed ? base::Error{} : packed.error();
}

base::Result<std::unique_ptr<Dataset>> Open(const fs::path& root, api::DatasetLayout layout,
                                            Split split = Split::kTrain) {
  DatasetOptions options{.spec = {}, .root = root, .split = split, .image_size = kSize};
  options.spec.format = api::DatasetFormat::kImageFolder;
  options.spec.layout = layout;
  return OpenDataset(options, {});
}

std::string OpenError(const fs::path& root) {
  const auto dataset = Open(root, api::DatasetLayout::kPacked);
  return dataset ? "" : dataset.error().message;
}

std::vector<std::string> Names(const Dataset& dataset) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < dataset.size(); ++i) names.push_back(dataset.SampleName(i));
  return names;
}

PackedIndex IndexOf(const fs::path& folder) {
  const auto index = ParsePackedIndex(Read(folder / kPackedIndexName), "index");
  EXPECT_TRUE(index.has_value()) << index.error().message;
  return index.value_or(PackedIndex{});
}

TEST(PackImageFolder, KeepsTheBytesOfEveryFile) {
  const Photos photos;
  const std::string long_name = std::string(200, 'n') + " \xc3\xbc.jpg";
  photos.Write("train/a/deep/" + long_name, "bytes that nobody decodes");
  photos.Write("train/b/empty.jpg", "");
  const TemporaryFolder out;
  const GeneratedDataset packed = MustPack(Into(photos.path(), out.path()));
  EXPECT_EQ(packed.classes, 3);
  EXPECT_EQ(packed.train_images, 22);
  EXPECT_EQ(packed.validation_images, 3);
  for (const std::string split : {"train", "val"}) {
    const PackedIndex index = IndexOf(out.path() / split);
    const auto files = Files(photos.path() / split);
    ASSERT_EQ(index.samples().size(), files.size());
    for (int64_t i = 0; i < std::ssize(index.samples()); ++i) {
      const PackedSample& sample = index.samples()[i];
      const std::string shard = Read(out.path() / split / ShardName(sample.shard));
      EXPECT_EQ(shard.substr(static_cast<size_t>(sample.offset), static_cast<size_t>(sample.size)),
                files.at(index.PathOf(i)));
    }
  }
}

TEST(PackImageFolder, MakesTheSameBytesForASeedAndOthersForAnother) {
  const Photos photos;
  const TemporaryFolder out;
  const GeneratedDataset one = MustPack(Into(photos.path(), out.path() / "one"));
  const GeneratedDataset two = MustPack(Into(photos.path(), out.path() / "two"));
  PackOptions other = Into(photos.path(), out.path() / "other");
  other.seed = 1;
  const GeneratedDataset three = MustPack(other);
  EXPECT_EQ(Files(out.path() / "one"), Files(out.path() / "two"));
  EXPECT_EQ(one.sha256, two.sha256);
  EXPECT_NE(one.sha256, three.sha256);
  const auto first = Open(out.path() / "one", api::DatasetLayout::kPacked);
  const auto last = Open(out.path() / "other", api::DatasetLayout::kPacked);
  ASSERT_TRUE(first && last);
  EXPECT_EQ((*first)->identity(), (*last)->identity());
  EXPECT_EQ(Names(**first), Names(**last));
}

TEST(PackImageFolder, FillsShardsUpToTheirSizeWithAllClasses) {
  const Photos photos;
  photos.Write("train/b/large.jpg", std::string(30'000, 'x'));
  const TemporaryFolder out;
  MustPack(Into(photos.path(), out.path()));
  const PackedIndex index = IndexOf(out.path() / "train");
  ASSERT_GT(index.shard_bytes().size(), 2U);
  std::map<int32_t, std::set<int32_t>> labels;
  std::map<int32_t, int64_t> largest;
  for (const PackedSample& sample : index.samples()) {
    labels[sample.shard].insert(sample.label);
    largest[sample.shard] = std::max(largest[sample.shard], sample.size);
  }
  for (const auto& [shard, size] : largest) {
    const int64_t bytes = index.shard_bytes()[shard];
    EXPECT_EQ(bytes, std::ssize(Read(out.path() / "train" / ShardName(shard))));
    if (size == 30'000) {
      EXPECT_EQ(bytes, 512 + 30'208 + 1024);
    } else {
      EXPECT_LE(bytes, 20'000);
    }
  }
  // Sorted, the first would hold one class.
  EXPECT_GT(labels[0].size(), 1U);
}

TEST(PackImageFolder, WritesAManifestAndFindsItsDataSetAgain) {
  const Photos photos;
  const TemporaryFolder out;
  const GeneratedDataset packed = MustPack(Into(photos.path(), out.path()));
  const auto manifest = base::ParseJson(Read(out.path() / kDatasetManifestName), "manifest");
  ASSERT_TRUE(manifest.has_value());
  EXPECT_EQ((*manifest)["description"]["layout"], "packed");
  const auto files = Open(photos.path(), api::DatasetLayout::kFiles);
  EXPECT_EQ((*manifest)["description"]["identities"]["train"], (*files)->identity());
  int64_t calls = 0;
  const auto count = [&](int64_t, int64_t) { ++calls; };
  const auto again = PackImageFolder(Into(photos.path(), out.path()), count, {});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(again->sha256, packed.sha256);
  PackOptions anew = Into(photos.path(), out.path());
  anew.overwrite = true;
  EXPECT_TRUE(PackImageFolder(anew, count, {}).has_value());
  EXPECT_EQ(calls, 23);
}

TEST(PackImageFolder, CannotBeOpenedUnfinishedAndStartsOver) {
  const Photos photos;
  const TemporaryFolder out;
  std::stop_source stop;
  const auto stopped = PackImageFolder(
      Into(photos.path(), out.path() / "a"),
      [&](int64_t done, int64_t total) {
        EXPECT_EQ(total, 23);
        if (done == 21) stop.request_stop();
      },
      stop.get_token());
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().kind, base::ErrorKind::kInterrupted);
  // All training shards are there.
  EXPECT_THAT(OpenError(out.path() / "a"),
              HasSubstr("train: holds no fairlap-packed.index; expected a folder that `fairlap "
                        "dataset pack` has made and finished"));
  MustPack(Into(photos.path(), out.path() / "a"));
  MustPack(Into(photos.path(), out.path() / "b"));
  EXPECT_EQ(Files(out.path() / "a"), Files(out.path() / "b"));
}

TEST(PackImageFolder, RefusesWhatIsNoImageFolder) {
  const TemporaryFolder empty, hollow, broken, out;
  hollow.Write("train/a/1.jpg", "x");
  fs::create_directory(hollow.path() / "train/b");
  broken.Write("train/a/1.jpg", "x");
  fs::create_symlink("nowhere", broken.path() / "train/a/2.jpg");
  const auto error = [&](const fs::path& data) { return PackError(Into(data, out.path())); };
  EXPECT_THAT(error(empty.path()).message,
              HasSubstr("expected an image folder with train/ and val/"));
  EXPECT_THAT(error(hollow.path()).message, HasSubstr("b: this class folder holds no *.jpg"));
  EXPECT_THAT(error(broken.path()).message,
              HasSubstr("train/a/2.jpg: cannot be packed: No such file or directory"));
  const Photos photos;
  const TemporaryFolder packed;
  MustPack(Into(photos.path(), packed.path()));
  EXPECT_THAT(error(packed.path()).message, HasSubstr("train: is packed (layout packed)"));
  EXPECT_TRUE(fs::is_empty(out.path()));
}

TEST(PackImageFolder, LeavesTheSourceAndForeignFoldersAlone) {
  const Photos photos;
  const TemporaryFolder foreign, around;
  foreign.Write("thesis.txt", "years of work");
  fs::create_directory_symlink(photos.path() / "train", around.path() / "train");
  const auto before = Files(photos.path());
  PackOptions options = Into(photos.path(), photos.path());
  options.overwrite = true;
  for (const fs::path& out :
       {photos.path(), photos.path() / "packed", photos.path().parent_path()}) {
    options.out = out;
    EXPECT_THAT(PackError(options).message, HasSubstr("must lie outside of the data set")) << out;
  }
  options.data = around.path();
  options.out = photos.path();
  EXPECT_EQ(PackError(options).kind, base::ErrorKind::kConflict);
  options.out = foreign.path();
  EXPECT_THAT(PackError(options).message, HasSubstr("is not empty"));
  EXPECT_EQ(Files(photos.path()), before);
  EXPECT_EQ(Files(foreign.path()).size(), 1U);
}

TEST(PackImageFolder, PacksAFolderWithoutValidation) {
  const TemporaryFolder photos, out;
  photos.Write("train/a/1.jpg", MakeJpeg(PaintBusy(40, 30)));
  EXPECT_EQ(MustPack(Into(photos.path(), out.path())).validation_images, 0);
  const auto validation = Open(out.path(), api::DatasetLayout::kPacked, Split::kValidation);
  ASSERT_FALSE(validation.has_value());
  EXPECT_EQ(validation.error().kind, base::ErrorKind::kNotFound);
}

// ---- reading ----

class OpenPacked : public ::testing::Test {
 protected:
  OpenPacked() { MustPack(Into(photos_.path(), out_.path())); }

  fs::path Shard(int64_t number) const { return out_.path() / "train" / ShardName(number); }

  Photos photos_;
  TemporaryFolder out_;
};

struct Everything {
  std::vector<float> pixels;
  std::vector<int64_t> labels, indices;
  bool operator==(const Everything&) const = default;
};

Everything Batches(const Dataset& dataset, const PipelineOptions& options) {
  Everything all;
  Pipeline pipeline(dataset, options);
  while (true) {
    const auto batch = pipeline.Next({});
    if (!batch || !*batch) {
      EXPECT_TRUE(batch.has_value()) << batch.error().message;
      return all;
    }
    all.pixels.insert(all.pixels.end(), (*batch)->pixels.begin(), (*batch)->pixels.end());
    all.labels.insert(all.labels.end(), (*batch)->labels.begin(), (*batch)->labels.end());
    all.indices.insert(all.indices.end(), (*batch)->indices.begin(), (*batch)->indices.end());
  }
}

TEST_F(OpenPacked, GivesTheSameBatchesAsTheFiles) {
  for (const Split split : {Split::kTrain, Split::kValidation}) {
    const auto files = Open(photos_.path(), api::DatasetLayout::kFiles, split);
    const auto packed = Open(out_.path(), api::DatasetLayout::kPacked, split);
    ASSERT_TRUE(files && packed);
    const bool train = split == Split::kTrain;
    const PipelineOptions options{
        .batch_size = 8, .threads = 3, .seed = 4, .shuffle = train, .augment = train, .epochs = 2};
    const Everything expected = Batches(**files, options);
    EXPECT_EQ(std::ssize(expected.labels), 2 * (*files)->size());
    EXPECT_TRUE(Batches(**packed, options) == expected);
  }
}

TEST_F(OpenPacked, IsTheSameDataSetAsTheFiles) {
  const auto files = Open(photos_.path(), api::DatasetLayout::kFiles);
  const auto packed = Open(out_.path(), api::DatasetLayout::kPacked);
  ASSERT_TRUE(files && packed);
  EXPECT_EQ((*packed)->identity(), (*files)->identity());
  EXPECT_EQ((*packed)->bytes(), (*files)->bytes());
  EXPECT_EQ((*packed)->classes(), (*files)->classes());
  EXPECT_EQ(Names(**packed), Names(**files));
  Scratch scratch;
  std::vector<float> pixels(3 * kSize * kSize);
  const auto loaded = (*packed)->Load({.index = 3}, pixels, scratch);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->cost.bytes,
            static_cast<int64_t>(fs::file_size(photos_.path() / "train" / Names(**files)[3])));
  EXPECT_GT(loaded->cost.read.count(), 0);
  EXPECT_GT(loaded->cost.decode.count(), 0);
}

TEST_F(OpenPacked, NamesTheShardThatIsMissingOrHasAnotherSize) {
  const auto size = fs::file_size(Shard(1));
  fs::resize_file(Shard(1), size - 1);
  EXPECT_EQ(OpenError(out_.path()), Shard(1).string() + ": has " + std::to_string(size - 1) +
                                        " bytes, and " + std::to_string(size) +
                                        " by the index beside it; pack the data set again");
  fs::resize_file(Shard(1), size + 1);
  EXPECT_THAT(OpenError(out_.path()), StartsWith(Shard(1).string() + ": has "));
  fs::remove(Shard(1));
  const auto missing = Open(out_.path(), api::DatasetLayout::kPacked);
  ASSERT_FALSE(missing.has_value());
  // A split that is there and broken is not one that there is not.
  EXPECT_EQ(missing.error().kind, base::ErrorKind::kInvalidInput);
  EXPECT_EQ(missing.error().message,
            Shard(1).string() + ": cannot open: No such file or directory");
  fs::create_directory(Shard(1));
  EXPECT_EQ(OpenError(out_.path()), Shard(1).string() + ": cannot read: Is a directory");
}

TEST_F(OpenPacked, NamesTheIndexThatIsDamaged) {
  const fs::path path = out_.path() / "train" / kPackedIndexName;
  fs::resize_file(path, fs::file_size(path) - 100);
  EXPECT_EQ(OpenError(out_.path()),
            path.string() +
                ": does not have the SHA-256 that it ends with: truncated or damaged; "
                "pack the data set again");
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(OpenError(out_.path()), path.string() + ": cannot read: Is a directory");
}

TEST_F(OpenPacked, SaysThatFilesAreNotPackedAndThePackedNoFiles) {
  EXPECT_THAT(OpenError(photos_.path()), HasSubstr("train: holds no fairlap-packed.index"));
  const auto files = Open(out_.path(), api::DatasetLayout::kFiles);
  ASSERT_FALSE(files.has_value());
  EXPECT_THAT(files.error().message, HasSubstr("train: is packed (layout packed)"));
}

TEST_F(OpenPacked, GivesTheReasonForEachUnusableSample) {
  const auto dataset = Open(out_.path(), api::DatasetLayout::kPacked);
  ASSERT_TRUE(dataset.has_value());
  // After it was opened one shard is cut short and another written over.
  fs::resize_file(Shard(0), 600);
  std::ofstream(Shard(1), std::ios::binary | std::ios::in)
      << std::string(fs::file_size(Shard(1)), 'x');
  const PackedIndex index = IndexOf(out_.path() / "train");
  Scratch scratch;
  std::vector<float> pixels(3 * kSize * kSize);
  for (int64_t i = 0; i < (*dataset)->size(); ++i) {
    const int32_t shard = index.samples()[i].shard;
    const auto loaded = (*dataset)->Load({.index = i}, pixels, scratch);
    EXPECT_EQ(loaded ? "" : loaded.error().message,
              shard == 0   ? "shard-000000.tar: ends before this sample does"
              : shard == 1 ? "is not a JPEG file"
                           : "");
  }
}

TEST_F(OpenPacked, EndsOnAStopRequest) {
  std::stop_source stop;
  stop.request_stop();
  const auto dataset = OpenPackedFolder(out_.path() / "train", kSize, stop.get_token());
  ASSERT_FALSE(dataset.has_value());
  EXPECT_EQ(dataset.error().kind, base::ErrorKind::kInterrupted);
}

TEST(OpenDataset, RefusesAPackedDataSetOfAnotherFormat) {
  DatasetOptions options{.spec = {}, .root = "/"};
  options.spec.format = api::DatasetFormat::kCarePairs;
  options.spec.layout = api::DatasetLayout::kPacked;
  const auto dataset = OpenDataset(options, {});
  ASSERT_FALSE(dataset.has_value());
  EXPECT_EQ(dataset.error().message, "a carePairs data set is not read packed");
}

}  // namespace
}  // namespace fairlap::data

#include <algorithm>
#include <string>
#include <utility>

#include "lib/base/random.h"
#include "worker/data/cifar10.h"
#include "worker/data/generate.h"
#include "worker/data/generate_output.h"
#include "worker/data/texture.h"

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr int64_t kVersion = 1;  // of the bytes that a description stands for
constexpr int64_t kTrainFiles = 5;
constexpr int64_t kNoise = 24;  // either way, of 255

constexpr std::string_view kPatternNames[kPatternCount] = {"rows", "columns", "diagonals", "checks",
                                                           "rings"};

std::string ClassName(int64_t label) {
  return (label < kPatternCount ? "narrow-" : "wide-") +
         std::string(kPatternNames[label % kPatternCount]);
}

Texture DrawTexture(int64_t label, base::Random& random) {
  // Pitches of 4.5 to 6 and of 9 to 12 pixels.
  const int64_t narrow = random.Between(1152, 1536);
  return {.pattern = static_cast<Pattern>(label % kPatternCount),
          .pitch = label < kPatternCount ? narrow : 2 * narrow,
          .shift_x = random.Between(6, kCifarEdge - 6),
          .shift_y = random.Between(6, kCifarEdge - 6),
          .mirrored = random.Below(2) == 1};
}

// Appends one record.
void Draw(int64_t label, base::Random random, std::string& records) {
  const Texture texture = DrawTexture(label, random);
  const auto [dark, light] = DrawColours(random);
  std::string record(kCifarRecord, static_cast<char>(label));
  for (int64_t y = 0; y < kCifarEdge; ++y) {
    for (int64_t x = 0; x < kCifarEdge; ++x) {
      const Colour colour = Mix(dark, light, TextureAt(texture, x, y));
      for (int64_t c = 0; c < 3; ++c) {
        const int64_t value =
            std::clamp<int64_t>(colour[c] + random.Between(-kNoise, kNoise), 0, 255);
        record[1 + (c * kCifarEdge + y) * kCifarEdge + x] = static_cast<char>(value);
      }
    }
  }
  records += record;
}

base::Status Check(const GenerateOptions& options) {
  if (options.classes < 2 || options.classes > 2 * kPatternCount) {
    return MakeError(ErrorKind::kInvalidInput, "a cifar10 data set has 2 to 10 classes, not " +
                                                   std::to_string(options.classes));
  }
  if (options.images < std::max(options.classes, kTrainFiles)) {
    return MakeError(ErrorKind::kInvalidInput,
                     "a cifar10 data set of " + std::to_string(options.classes) +
                         " classes needs at least " +
                         std::to_string(std::max(options.classes, kTrainFiles)) + " images");
  }
  if (options.from) {
    return MakeError(ErrorKind::kInvalidInput,
                     "a cifar10 data set cannot be cut out of photographs; imageFolder can");
  }
  return {};
}

// Images `first` to `first + count` of a split; labels take turns, so every file holds all classes.
base::Status WriteRecords(const std::string& name, int64_t first, int64_t count, uint64_t seed,
                          int64_t classes, DatasetOutput& output) {
  std::string records;
  for (int64_t i = first; i < first + count; ++i) {
    Draw(i % classes, base::Random(base::MixSeeds(seed, static_cast<uint64_t>(i))), records);
    const base::Status going_on = output.Advance(1);
    if (!going_on) return going_on;
  }
  return output.Write(name, records);
}

base::Status WriteAll(const GenerateOptions& options, DatasetOutput& output) {
  std::string names;
  for (int64_t label = 0; label < options.classes; ++label) names += ClassName(label) + "\n";
  base::Status written = output.Write("batches.meta.txt", names);
  int64_t first = 0;
  for (int64_t file = 0; written && file < kTrainFiles; ++file) {
    const int64_t count = ImagesOfClass(options.images, kTrainFiles, file);
    written = WriteRecords("data_batch_" + std::to_string(file + 1) + ".bin", first, count,
                           base::MixSeeds(options.seed, 0), options.classes, output);
    first += count;
  }
  if (!written) return written;
  return WriteRecords("test_batch.bin", 0, ValidationImages(options.images, options.classes),
                      base::MixSeeds(options.seed, 1), options.classes, output);
}

}  // namespace

base::Result<GeneratedDataset> GenerateCifar10(const GenerateOptions& options,
                                               const GenerateProgress& progress,
                                               std::stop_token stop) {
  const base::Status checked = Check(options);
  if (!checked) return tl::unexpected(checked.error());
  const base::Json description = {{"version", kVersion},
                                  {"format", "cifar10"},
                                  {"classes", options.classes},
                                  {"images", options.images},
                                  {"seed", options.seed}};
  DatasetOutput output(options, description, progress, std::move(stop));
  if (auto existing = output.Existing()) return *existing;
  base::Status status = output.Begin();
  if (status) status = WriteAll(options, output);
  if (!status) return tl::unexpected(status.error());
  return output.Finish();
}

}  // namespace fairlap::data

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/random.h"
#include "worker/data/dataset.h"
#include "worker/data/generate.h"
#include "worker/data/generate_output.h"
#include "worker/data/png_writer.h"
#include "worker/data/specimen.h"

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr int64_t kVersion = 1;  // of the bytes that a description stands for
constexpr int64_t kDefaultEdge = 256;
constexpr int64_t kSmallestEdge = 16;
constexpr int64_t kLargestEdge = 4096;

enum class Side { kClean, kNoisy };

std::string PathOf(Split split, Side side, int64_t number) {
  char text[64];
  std::snprintf(text, sizeof text, "%s/%s/%07lld.png", split == Split::kTrain ? "train" : "val",
                side == Side::kClean ? "clean" : "noisy", static_cast<long long>(number));
  return text;
}

std::string MakeFile(Split split, Side side, int64_t number, uint64_t seed, int64_t edge) {
  const uint64_t split_seed = base::MixSeeds(seed, split == Split::kTrain ? 0 : 1);
  base::Random random(base::MixSeeds(split_seed, static_cast<uint64_t>(number)));
  const std::vector<uint16_t> clean = DrawSpecimen(edge, random);
  return MakeStoredPng(edge, edge, side == Side::kClean ? clean : Expose(clean, random));
}

// All clean images, then all noisy ones, which is the order of their paths; a clean image is drawn
// twice for it.
base::Status WriteSplit(Split split, int64_t pairs, uint64_t seed, int64_t edge,
                        DatasetOutput& output) {
  for (const Side side : {Side::kClean, Side::kNoisy}) {
    for (int64_t number = 0; number < pairs; ++number) {
      base::Status status =
          output.Write(PathOf(split, side, number), MakeFile(split, side, number, seed, edge));
      if (status) status = output.Advance(1);
      if (!status) return status;
    }
  }
  return {};
}

base::Status Check(const GenerateOptions& options, int64_t edge) {
  std::string reason;
  if (options.images < 1) {
    reason = "a carePairs data set needs at least one pair";
  } else if (edge < kSmallestEdge || edge > kLargestEdge) {
    reason = "the width is 16 to 4096 pixels, not " + std::to_string(edge);
  } else if (options.from) {
    reason = "a carePairs data set cannot be cut out of photographs; imageFolder can";
  } else {
    return {};
  }
  return MakeError(ErrorKind::kInvalidInput, reason);
}

}  // namespace

base::Result<GeneratedDataset> GenerateCarePairs(const GenerateOptions& options,
                                                 const GenerateProgress& progress,
                                                 std::stop_token stop) {
  const int64_t edge = options.typical_width.value_or(kDefaultEdge);
  base::Status status = Check(options, edge);
  if (!status) return tl::unexpected(status.error());
  const base::Json description = {{"version", kVersion},
                                  {"format", "carePairs"},
                                  {"images", options.images},
                                  {"seed", options.seed},
                                  {"typicalWidth", edge}};
  DatasetOutput output(options, description, progress, std::move(stop));
  if (auto existing = output.Existing()) return *existing;
  status = output.Begin();
  if (status) {
    status = WriteSplit(Split::kTrain, options.images, options.seed, edge, output);
  }
  if (status) {
    status = WriteSplit(Split::kValidation, ValidationImages(options.images, 1), options.seed, edge,
                        output);
  }
  if (!status) return tl::unexpected(status.error());
  return output.Finish();
}

}  // namespace fairlap::data

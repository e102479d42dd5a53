#include "worker/data/packed_writer.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/file.h"
#include "lib/base/random.h"
#include "worker/data/dataset.h"
#include "worker/data/generate_output.h"
#include "worker/data/image_folder.h"
#include "worker/data/packed_index.h"
#include "worker/data/tar.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;

constexpr int64_t kVersion = 1;  // of the bytes that a description stands for
constexpr const char* kSplitNames[] = {"train", "val"};

// What a split will look like: everything but the bytes of the JPEGs.
struct SplitPlan {
  std::string name;
  fs::path folder;                  // of the JPEGs
  std::unique_ptr<Dataset> source;  // never decodes
  PackedIndex index;
  std::string encoded_index;
  std::vector<int64_t> order;  // in which samples lie in the shards, one shard after the other
};

base::Result<int64_t> SizeOf(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (!error) return static_cast<int64_t>(size);
  return MakeError(ErrorKind::kInvalidInput,
                   path.string() + ": cannot be packed: " + base::SystemMessage(error.value()));
}

// Classes and samples in the order of the source, each with its size and without a place.
base::Status ListSamples(SplitPlan& split, const std::stop_token& stop) {
  for (int64_t i = 0; i < split.source->size(); ++i) {
    if (stop.stop_requested()) return MakeError(ErrorKind::kInterrupted, "stopped while packing");
    const std::string path = split.source->SampleName(i);
    const size_t slash = path.find('/');
    std::string class_name = path.substr(0, slash);
    const auto size = SizeOf(split.folder / path);
    if (!size) return tl::unexpected(size.error());
    if (i == 0 || class_name != split.index.classes().back()) {
      split.index.AddClass(std::move(class_name));
    }
    const auto label = static_cast<int32_t>(split.index.classes().size()) - 1;
    split.index.AddSample(std::string_view(path).substr(slash + 1),
                          {.size = *size, .label = label});
  }
  return {};
}

// Gives each sample a place, in random order.
void PlaceSamples(SplitPlan& split, int64_t shard_bytes, uint64_t seed) {
  split.order.resize(static_cast<size_t>(split.source->size()));
  std::iota(split.order.begin(), split.order.end(), 0);
  base::Random random(seed);
  base::Shuffle(std::span(split.order), random);
  std::vector<int64_t>& shards = split.index.shard_bytes();
  for (const int64_t i : split.order) {
    PackedSample& sample = split.index.samples()[i];
    const int64_t header = std::ssize(TarHeader(split.index.PathOf(i), sample.size));
    const int64_t bytes = header + sample.size + TarPadding(sample.size);
    if (shards.empty() || shards.back() + bytes > shard_bytes) shards.push_back(kTarEndBytes);
    sample.shard = static_cast<int32_t>(shards.size()) - 1;
    sample.offset = shards.back() - kTarEndBytes + header;
    shards.back() += bytes;
  }
}

base::Result<SplitPlan> PlanSplit(const PackOptions& options, size_t number,
                                  const std::stop_token& stop) {
  SplitPlan split;
  split.name = kSplitNames[number];
  split.folder = options.data / split.name;
  constexpr int64_t kAnyImageSize = 224;
  auto source = OpenImageFolder(split.folder, kAnyImageSize, stop);
  if (!source) return tl::unexpected(source.error());
  split.source = *std::move(source);
  const base::Status listed = ListSamples(split, stop);
  if (!listed) return tl::unexpected(listed.error());
  PlaceSamples(split, options.shard_bytes, base::MixSeeds(options.seed, number));
  split.encoded_index = EncodePackedIndex(split.index);
  if (std::ssize(split.encoded_index) > kMaxPackedIndexBytes) {
    return MakeError(ErrorKind::kInvalidInput,
                     split.folder.string() + ": has more samples than can be packed");
  }
  return split;
}

// ---- writing ----

std::string_view Text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

base::Status AppendSample(const SplitPlan& split, int64_t index, storage::FileReader& reader,
                          DatasetOutput& output) {
  const std::string path = split.index.PathOf(index);
  const int64_t size = split.index.samples()[index].size;
  const std::string source = (split.folder / path).string();
  const auto bytes = reader.ReadFile(source);
  if (!bytes) return MakeError(ErrorKind::kInvalidInput, source + ": " + bytes.error().message);
  if (std::ssize(*bytes) != size) {
    return MakeError(ErrorKind::kInvalidInput, source + ": has changed while it was packed");
  }
  base::Status status = output.Append(TarHeader(path, size));
  if (status) status = output.Append(Text(*bytes));
  if (status) status = output.Append(std::string(static_cast<size_t>(TarPadding(size)), '\0'));
  return status;
}

base::Status EndShard(DatasetOutput& output) {
  const base::Status ended = output.Append(std::string(static_cast<size_t>(kTarEndBytes), '\0'));
  return ended ? output.EndFile() : ended;
}

base::Status WriteShards(const SplitPlan& split, DatasetOutput& output) {
  storage::FileReader reader;
  int64_t open = -1;
  base::Status status;
  for (const int64_t index : split.order) {
    const int64_t shard = split.index.samples()[index].shard;
    if (shard != open) {
      if (open >= 0) status = EndShard(output);
      if (status) {
        status =
            output.BeginFile(split.name + "/" + ShardName(shard), split.index.shard_bytes()[shard]);
      }
      open = shard;
    }
    if (status) status = AppendSample(split, index, reader, output);
    if (status) status = output.Advance(1);
    if (!status) return status;
  }
  return EndShard(output);
}

base::Status WriteAll(const std::vector<SplitPlan>& splits, DatasetOutput& output) {
  base::Status status = output.Begin();
  for (const SplitPlan& split : splits) {
    if (status) status = WriteShards(split, output);
  }
  for (const SplitPlan& split : splits) {
    if (!status) break;
    status = output.Write(split.name + "/" + std::string(kPackedIndexName), split.encoded_index);
  }
  return status;
}

// ---- what is packed, and where to ----

bool IsWithin(const fs::path& path, const fs::path& folder) {
  const auto at = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return at.first == folder.end();
}

// The folder that is written to is emptied first: it must not be where the JPEGs are.
base::Status CheckApart(const PackOptions& options) {
  std::error_code ignored;
  const fs::path out = fs::weakly_canonical(options.out, ignored);
  std::vector<fs::path> sources = {options.data};
  for (const char* name : kSplitNames) sources.push_back(options.data / name);
  for (const fs::path& source : sources) {
    const fs::path data = fs::weakly_canonical(source, ignored);
    if (!IsWithin(out, data) && !IsWithin(data, out)) continue;
    return MakeError(ErrorKind::kConflict, options.out.string() +
                                               ": must lie outside of the data set and not around "
                                               "it; choose another folder");
  }
  return {};
}

base::Result<std::vector<SplitPlan>> PlanSplits(const PackOptions& options,
                                                const std::stop_token& stop) {
  std::vector<SplitPlan> splits;
  for (size_t number = 0; number < std::size(kSplitNames); ++number) {
    auto split = PlanSplit(options, number, stop);
    if (split) {
      splits.push_back(*std::move(split));
      continue;
    }
    const bool missing = split.error().kind == ErrorKind::kNotFound;
    if (number > 0 && missing) break;
    return MakeError(
        split.error().kind,
        split.error().message + (missing ? "; expected an image folder with train/ and val/" : ""));
  }
  return splits;
}

base::Json Describe(const PackOptions& options, const std::vector<SplitPlan>& splits) {
  base::Json description = {
      {"version", kVersion},  {"format", "imageFolder"},
      {"layout", "packed"},   {"classes", std::ssize(splits[0].index.classes())},
      {"seed", options.seed}, {"shardBytes", options.shard_bytes}};
  for (const SplitPlan& split : splits) {
    description["identities"].emplace(split.name, split.source->identity());
  }
  return description;
}

}  // namespace

base::Result<GeneratedDataset> PackImageFolder(const PackOptions& options,
                                               const GenerateProgress& progress,
                                               std::stop_token stop) {
  base::Status status = CheckApart(options);
  if (!status) return tl::unexpected(status.error());
  const auto splits = PlanSplits(options, stop);
  if (!splits) return tl::unexpected(splits.error());
  GeneratedDataset counts;
  counts.classes = std::ssize((*splits)[0].index.classes());
  counts.train_images = (*splits)[0].source->size();
  if (splits->size() > 1) counts.validation_images = (*splits)[1].source->size();
  DatasetOutput output(options.out, options.overwrite, Describe(options, *splits), counts, progress,
                       std::move(stop));
  if (!options.overwrite) {
    if (auto existing = output.Existing()) return *existing;
  }
  status = WriteAll(*splits, output);
  if (!status) return tl::unexpected(status.error());
  return output.Finish();
}

}  // namespace fairlap::data

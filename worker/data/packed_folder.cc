#include "worker/data/packed_folder.h"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "worker/data/file_tally.h"
#include "worker/data/jpeg_sample.h"
#include "worker/data/packed_index.h"
#include "worker/data/scratch.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::MakeError;
using SteadyClock = std::chrono::steady_clock;

class PackedFolder : public Dataset {
 public:
  PackedFolder(PackedIndex index, std::vector<storage::RangeFile> shards, int64_t image_size)
      : index_(std::move(index)), shards_(std::move(shards)), image_size_(image_size) {
    FileTally tally;
    for (int64_t i = 0; i < std::ssize(index_.samples()); ++i) {
      tally.Add(index_.PathOf(i), index_.samples()[i].size);
    }
    bytes_ = tally.bytes();
    identity_ = tally.Identity();
  }

  int64_t size() const override { return std::ssize(index_.samples()); }
  int64_t image_size() const override { return image_size_; }
  const std::vector<std::string>& classes() const override { return index_.classes(); }
  int64_t bytes() const override { return bytes_; }
  std::string identity() const override { return identity_; }
  std::string SampleName(int64_t index) const override { return index_.PathOf(index); }

  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override;

 private:
  PackedIndex index_;
  std::vector<storage::RangeFile> shards_;
  int64_t image_size_;
  int64_t bytes_ = 0;
  std::string identity_;
};

base::Result<SampleResult> PackedFolder::Load(const SampleRequest& request, std::span<float> pixels,
                                              Scratch& scratch) const {
  const PackedSample& sample = index_.samples()[request.index];
  SampleResult result{.label = sample.label, .cost = {}};
  const auto start = SteadyClock::now();
  const auto file = scratch.reader.ReadRange(shards_[sample.shard], sample.offset, sample.size);
  if (!file) {
    return MakeError(file.error().kind, ShardName(sample.shard) + ": " + file.error().message);
  }
  result.cost.read = SteadyClock::now() - start;
  result.cost.bytes = std::ssize(*file);
  const base::Status decoded =
      DecodeJpegSample(*file, request, image_size_, pixels, scratch, result.cost);
  if (!decoded) return tl::unexpected(decoded.error());
  return result;
}

tl::unexpected<Error> AtPath(const fs::path& path, const Error& error) {
  return MakeError(error.kind, path.string() + ": " + error.message);
}

base::Result<PackedIndex> ReadIndex(const fs::path& folder) {
  const fs::path path = folder / kPackedIndexName;
  std::error_code ignored;
  if (fs::is_directory(folder, ignored) && !fs::exists(path, ignored)) {
    return MakeError(ErrorKind::kInvalidInput,
                     folder.string() + ": holds no " + std::string(kPackedIndexName) +
                         "; expected a folder that `fairlap dataset pack` has made and finished");
  }
  storage::FileReader reader;
  const auto bytes = reader.ReadFile(path);
  if (!bytes) return AtPath(path, bytes.error());
  return ParsePackedIndex({reinterpret_cast<const char*>(bytes->data()), bytes->size()},
                          path.string());
}

base::Result<storage::RangeFile> OpenShard(const fs::path& path, int64_t expected_bytes) {
  auto shard = storage::RangeFile::Open(path);
  if (!shard && shard.error().kind == ErrorKind::kNotFound) {
    // The split is there, and broken: not what a caller may take for a data set without one.
    return MakeError(ErrorKind::kInvalidInput, path.string() + ": " + shard.error().message);
  }
  if (!shard) return AtPath(path, shard.error());
  if (shard->size() != expected_bytes) {
    return MakeError(ErrorKind::kInvalidInput,
                     path.string() + ": has " + std::to_string(shard->size()) + " bytes, and " +
                         std::to_string(expected_bytes) +
                         " by the index beside it; pack the data set again");
  }
  return shard;
}

base::Result<std::vector<storage::RangeFile>> OpenShards(const fs::path& folder,
                                                         const PackedIndex& index,
                                                         const std::stop_token& stop) {
  std::vector<storage::RangeFile> shards;
  for (const int64_t bytes : index.shard_bytes()) {
    if (stop.stop_requested()) {
      return MakeError(ErrorKind::kInterrupted, "stopped while opening the data set");
    }
    auto shard = OpenShard(folder / ShardName(std::ssize(shards)), bytes);
    if (!shard) return tl::unexpected(shard.error());
    shards.push_back(*std::move(shard));
  }
  return shards;
}

}  // namespace

base::Result<std::unique_ptr<Dataset>> OpenPackedFolder(const fs::path& folder, int64_t image_size,
                                                        std::stop_token stop) {
  auto index = ReadIndex(folder);
  if (!index) return tl::unexpected(index.error());
  auto shards = OpenShards(folder, *index, stop);
  if (!shards) return tl::unexpected(shards.error());
  return std::make_unique<PackedFolder>(*std::move(index), *std::move(shards), image_size);
}

}  // namespace fairlap::data

// The index of a packed image folder: where in the shards each sample lies. A packed split is a
// folder of shards (shard-000000.tar, ...) and this file, and is complete when this file is there.
//
// All numbers are unsigned, of 64 bits, little-endian; a text is its length and its bytes:
//   8 bytes "FLPACK01"
//   number of shards; of each its size in bytes
//   number of classes, in byte order of their names; of each its name and its number of samples
//   of each sample, class after class, in the order of the files in the class: name (path below the
//     class folder), shard, offset of its bytes in the shard, size
//   SHA-256 of all before, as 64 hexadecimal digits
#ifndef FAIRLAP_WORKER_DATA_PACKED_INDEX_H_
#define FAIRLAP_WORKER_DATA_PACKED_INDEX_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/result.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {

inline constexpr std::string_view kPackedIndexName = "fairlap-packed.index";
// Twenty million samples; more are refused when they are packed.
inline constexpr int64_t kMaxPackedIndexBytes = storage::kMaxSampleFileBytes;

// "shard-000123.tar"
std::string ShardName(int64_t shard);

struct PackedSample {
  int64_t offset = 0, size = 0;  // in the shard, bytes
  int32_t shard = 0;
  int32_t label = 0;
};

// Samples are appended class after class; what was appended can be placed later.
class PackedIndex {
 public:
  void AddClass(std::string name) { classes_.push_back(std::move(name)); }
  // `name` is its path below the folder of the class that its label stands for.
  void AddSample(std::string_view name, const PackedSample& sample);

  std::vector<int64_t>& shard_bytes() { return shard_bytes_; }
  std::vector<PackedSample>& samples() { return samples_; }
  const std::vector<int64_t>& shard_bytes() const { return shard_bytes_; }
  const std::vector<PackedSample>& samples() const { return samples_; }
  const std::vector<std::string>& classes() const { return classes_; }
  std::string_view NameOf(int64_t index) const;  // below the class folder
  std::string PathOf(int64_t index) const;       // class folder and name

 private:
  std::vector<int64_t> shard_bytes_;
  std::vector<std::string> classes_;
  std::vector<PackedSample> samples_;
  // One after the other: a string for each of a million samples would be most of the index.
  std::string names_;
  std::vector<uint32_t> name_ends_;
};

std::string EncodePackedIndex(const PackedIndex& index);

// `what` names the source in errors. An index that is returned has a class, a sample in each class,
// classes in byte order and each sample inside of its shard; whatever the bytes say, no more memory
// is taken than a small multiple of theirs. kInvalidInput for anything else.
base::Result<PackedIndex> ParsePackedIndex(std::string_view bytes, std::string_view what);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PACKED_INDEX_H_

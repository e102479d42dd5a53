#include "worker/data/packed_index.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "lib/base/sha256.h"
#include "lib/base/text.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {
namespace {

constexpr std::string_view kMagic = "FLPACK01";
constexpr size_t kNumberBytes = 8, kDigestBytes = 64;
// Of a class: the length of its name and a count; of a sample: that length and three numbers.
constexpr size_t kLeastClassBytes = 2 * kNumberBytes, kLeastSampleBytes = 4 * kNumberBytes;
constexpr uint64_t kMostBytes = std::numeric_limits<int64_t>::max();

void PutNumber(std::string& out, int64_t value) {
  for (size_t i = 0; i < kNumberBytes; ++i) {
    out += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xff);
  }
}

void PutText(std::string& out, std::string_view text) {
  PutNumber(out, std::ssize(text));
  out += text;
}

// Reads on after a first problem, which it keeps, as if all were zeros; every loop looks at ok().
class Parser {
 public:
  explicit Parser(std::string_view bytes) : left_(bytes) {}

  void Parse();
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  PackedIndex Take() { return std::move(index_); }

 private:
  void ReadShards();
  void ReadClasses();
  void ReadSample(int32_t label);
  std::string_view Text();
  int64_t Number(uint64_t most, const char* problem);
  // How many there are of what takes at least `least_bytes` each.
  int64_t Count(size_t least_bytes, const char* problem);
  void Fail(std::string problem) {
    if (ok()) problem_ = std::move(problem);
  }

  std::string_view left_;
  PackedIndex index_;
  std::vector<int64_t> class_sizes_;
  std::string problem_;
};

int64_t Parser::Number(uint64_t most, const char* problem) {
  if (left_.size() < kNumberBytes) Fail("ends too early");
  if (!ok()) return 0;
  uint64_t value = 0;
  for (size_t i = 0; i < kNumberBytes; ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(left_[i])) << (8 * i);
  }
  left_.remove_prefix(kNumberBytes);
  if (value > most) Fail(problem);
  return ok() ? static_cast<int64_t>(value) : 0;
}

int64_t Parser::Count(size_t least_bytes, const char* problem) {
  return Number(left_.size() / least_bytes, problem);
}

std::string_view Parser::Text() {
  const auto size = static_cast<size_t>(Number(kMostBytes, "has an impossible length of a name"));
  if (size > left_.size()) Fail("ends inside of a name");
  if (!ok()) return {};
  const std::string_view text = left_.substr(0, size);
  left_.remove_prefix(size);
  return text;
}

void Parser::ReadShards() {
  const int64_t count = Count(kNumberBytes, "counts more shards than it names");
  if (count == 0) Fail("names no shards");
  for (int64_t i = 0; i < count && ok(); ++i) {
    index_.shard_bytes().push_back(Number(kMostBytes, "has an impossible size of a shard"));
  }
}

void Parser::ReadClasses() {
  const int64_t count = Count(kLeastClassBytes, "counts more classes than it names");
  if (count == 0) Fail("names no classes");
  for (int64_t i = 0; i < count && ok(); ++i) {
    std::string name(Text());
    class_sizes_.push_back(Count(kLeastSampleBytes, "counts more samples than it names"));
    if (class_sizes_.back() == 0) Fail("has no samples of the class " + base::Printable(name));
    if (i > 0 && name <= index_.classes().back()) Fail("has its classes out of order");
    index_.AddClass(std::move(name));
  }
}

void Parser::ReadSample(int32_t label) {
  const std::string_view name = Text();
  const auto& shards = index_.shard_bytes();
  PackedSample sample{.label = label};
  sample.shard = static_cast<int32_t>(
      Number(std::min<uint64_t>(shards.size() - 1, std::numeric_limits<int32_t>::max()),
             "has a sample in a shard that there is not"));
  if (!ok()) return;
  const int64_t shard_bytes = shards[sample.shard];
  constexpr char kOutside[] = "has a sample outside of its shard";
  sample.offset = Number(static_cast<uint64_t>(shard_bytes), kOutside);
  sample.size = Number(static_cast<uint64_t>(shard_bytes - sample.offset), kOutside);
  if (sample.size > storage::kMaxSampleFileBytes) Fail("has a sample that is larger than 1 GiB");
  if (ok()) index_.AddSample(name, sample);
}

void Parser::Parse() {
  ReadShards();
  ReadClasses();
  for (size_t label = 0; label < class_sizes_.size() && ok(); ++label) {
    for (int64_t i = 0; i < class_sizes_[label] && ok(); ++i) {
      ReadSample(static_cast<int32_t>(label));
    }
  }
  if (!left_.empty()) Fail("goes on after its last sample");
}

}  // namespace

std::string ShardName(int64_t shard) {
  char name[40];
  std::snprintf(name, sizeof name, "shard-%06lld.tar", static_cast<long long>(shard));
  return name;
}

void PackedIndex::AddSample(std::string_view name, const PackedSample& sample) {
  names_ += name;
  name_ends_.push_back(static_cast<uint32_t>(names_.size()));
  samples_.push_back(sample);
}

std::string_view PackedIndex::NameOf(int64_t index) const {
  const auto at = static_cast<size_t>(index);
  const size_t begin = at == 0 ? 0 : name_ends_[at - 1];
  return std::string_view(names_).substr(begin, name_ends_[at] - begin);
}

std::string PackedIndex::PathOf(int64_t index) const {
  const auto label = static_cast<size_t>(samples_[index].label);
  std::string path = classes_[label];
  path += '/';
  path += NameOf(index);
  return path;
}

std::string EncodePackedIndex(const PackedIndex& index) {
  std::string bytes(kMagic);
  PutNumber(bytes, std::ssize(index.shard_bytes()));
  for (const int64_t size : index.shard_bytes()) PutNumber(bytes, size);
  std::vector<int64_t> class_sizes(index.classes().size());
  for (const PackedSample& sample : index.samples()) {
    ++class_sizes[sample.label];
  }
  PutNumber(bytes, std::ssize(index.classes()));
  for (size_t label = 0; label < class_sizes.size(); ++label) {
    PutText(bytes, index.classes()[label]);
    PutNumber(bytes, class_sizes[label]);
  }
  for (int64_t i = 0; i < std::ssize(index.samples()); ++i) {
    const PackedSample& sample = index.samples()[i];
    PutText(bytes, index.NameOf(i));
    PutNumber(bytes, sample.shard);
    PutNumber(bytes, sample.offset);
    PutNumber(bytes, sample.size);
  }
  bytes += base::Sha256Hex(bytes);
  return bytes;
}

base::Result<PackedIndex> ParsePackedIndex(std::string_view bytes, std::string_view what) {
  const auto refuse = [what](std::string_view problem) {
    std::string message(what);
    message += ": ";
    message += problem;
    message += "; pack the data set again";
    return base::MakeError(base::ErrorKind::kInvalidInput, std::move(message));
  };
  if (!bytes.starts_with(kMagic)) return refuse("is not the index of a packed data set");
  if (bytes.size() < kMagic.size() + kDigestBytes) return refuse("ends too early");
  const std::string_view content = bytes.substr(0, bytes.size() - kDigestBytes);
  if (base::Sha256Hex(content) != bytes.substr(content.size())) {
    return refuse("does not have the SHA-256 that it ends with: truncated or damaged");
  }
  Parser parser(content.substr(kMagic.size()));
  parser.Parse();
  if (!parser.ok()) return refuse(parser.problem());
  return parser.Take();
}

}  // namespace fairlap::data

#include "worker/data/packed_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "lib/base/random.h"
#include "lib/base/sha256.h"

namespace fairlap::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kDigestBytes = 64;

PackedIndex SampleIndex() {
  PackedIndex index;
  index.shard_bytes() = {5000, 1 << 20};
  index.AddClass("cat");
  index.AddSample("1.jpg", {.offset = 512, .size = 3000, .shard = 0});
  index.AddSample("deep/2.jpg", {.offset = 4000, .size = 1000, .shard = 0});
  index.AddClass("dog");
  index.AddSample("a name with\na line end.JPG",
                  {.offset = 1024, .size = 0, .shard = 1, .label = 1});
  return index;
}

// The bytes with the checksum that belongs to them, as somebody would write them who means ill.
std::string Signed(const std::string& content) { return content + base::Sha256Hex(content); }

std::string Content(const PackedIndex& index) {
  const std::string bytes = EncodePackedIndex(index);
  return bytes.substr(0, bytes.size() - kDigestBytes);
}

std::string ErrorOf(const std::string& bytes) {
  const auto index = ParsePackedIndex(bytes, "here");
  return index ? "" : index.error().message;
}

TEST(ParsePackedIndex, ReadsBackWhatWasWritten) {
  const auto index = ParsePackedIndex(EncodePackedIndex(SampleIndex()), "here");
  ASSERT_TRUE(index.has_value()) << index.error().message;
  EXPECT_THAT(index->classes(), ElementsAre("cat", "dog"));
  EXPECT_THAT(index->shard_bytes(), ElementsAre(5000, 1 << 20));
  ASSERT_EQ(index->samples().size(), 3U);
  EXPECT_EQ(index->PathOf(1), "cat/deep/2.jpg");
  EXPECT_EQ(index->PathOf(2), "dog/a name with\na line end.JPG");
  const PackedSample& last = index->samples()[2];
  EXPECT_EQ(last.label, 1);
  EXPECT_EQ(last.shard, 1);
  EXPECT_EQ(last.offset, 1024);
  EXPECT_EQ(last.size, 0);
}

TEST(ParsePackedIndex, RefusesEveryBeginningOfAnIndex) {
  const std::string bytes = EncodePackedIndex(SampleIndex());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(ErrorOf(bytes.substr(0, size)), "") << size;
    EXPECT_NE(ErrorOf(Signed(bytes.substr(0, std::min(size, bytes.size() - kDigestBytes - 1)))), "")
        << size;
  }
}

TEST(ParsePackedIndex, RefusesAChangeOfAnyByte) {
  const std::string bytes = EncodePackedIndex(SampleIndex());
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(ErrorOf(changed), "") << at;
  }
}

struct Lie {
  const char* reason;
  std::function<void(PackedIndex&)> tell;
};

TEST(ParsePackedIndex, SaysWhatASignedIndexClaimsWrongly) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  const Lie kLies[] = {
      {"names no shards", [](auto& index) { index.shard_bytes().clear(); }},
      {"a sample outside of its shard", [](auto& index) { index.samples()[0].offset = 5001; }},
      {"a sample outside of its shard", [](auto& index) { index.samples()[1].size = 1001; }},
      {"a sample outside of its shard", [](auto& index) { index.samples()[1].size = kHuge; }},
      {"a sample outside of its shard", [](auto& index) { index.samples()[1].offset = -1; }},
      {"an impossible size of a shard", [](auto& index) { index.shard_bytes()[1] = -1; }},
      {"in a shard that there is not", [](auto& index) { index.samples()[2].shard = 2; }},
      {"in a shard that there is not", [](auto& index) { index.samples()[2].shard = -1; }},
      {"larger than 1 GiB",
       [](auto& index) {
         index.shard_bytes()[0] = kHuge;
         index.samples()[0].size = (int64_t{1} << 30) + 1;
       }},
      {"no samples of the class lone?", [](auto& index) { index.AddClass("lone\x1b"); }},
      {"classes out of order",
       [](auto& index) {
         index.AddClass("ant");
         index.AddSample("1.jpg", {.offset = 512, .size = 1, .shard = 0, .label = 2});
       }},
  };
  for (const Lie& lie : kLies) {
    PackedIndex index = SampleIndex();
    lie.tell(index);
    EXPECT_THAT(ErrorOf(EncodePackedIndex(index)), HasSubstr(lie.reason));
  }
  EXPECT_THAT(ErrorOf(EncodePackedIndex({})), HasSubstr("here: names no shards"));
  EXPECT_THAT(ErrorOf(Signed(Content(SampleIndex()) + "x")), HasSubstr("goes on after its last"));
  EXPECT_THAT(ErrorOf("PNG"),
              HasSubstr("is not the index of a packed data set; pack the data set"));
}

void ExpectInBounds(const PackedIndex& index) {
  ASSERT_FALSE(index.samples().empty());
  for (int64_t i = 0; i < std::ssize(index.samples()); ++i) {
    const PackedSample& sample = index.samples()[i];
    ASSERT_LT(static_cast<size_t>(sample.shard), index.shard_bytes().size());
    ASSERT_LT(static_cast<size_t>(sample.label), index.classes().size());
    ASSERT_GE(std::min(sample.offset, sample.size), 0);
    ASSERT_LE(sample.offset, index.shard_bytes()[sample.shard] - sample.size);
    ASSERT_FALSE(index.PathOf(i).empty());
  }
}

// Whatever is written over, removed or repeated, and signed again, is refused or stays in bounds.
TEST(ParsePackedIndex, StaysInBoundsWhateverTheBytes) {
  const std::string content = Content(SampleIndex());
  base::Random random(20261201);
  int64_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string changed = content;
    for (uint64_t edits = 1 + random.Below(4); edits > 0; --edits) {
      const size_t at = 8 + random.Below(changed.size() - 8);
      switch (random.Below(4)) {
        case 0: changed[at] = static_cast<char>(random.Next()); break;
        case 1: changed[at] = random.Below(2) == 0 ? '\xff' : '\0'; break;
        case 2: changed.erase(at, random.Below(9)); break;
        default: changed.insert(at, changed, at, random.Below(40)); break;
      }
      if (changed.size() <= 8) break;
    }
    const auto index = ParsePackedIndex(Signed(changed), "here");
    if (!index) continue;
    ++accepted;
    ExpectInBounds(*index);
  }
  EXPECT_GT(accepted, 100);  // names and offsets may change
}

}  // namespace
}  // namespace fairlap::data

// The page cache of real files, read through the real input pipeline.
#include "worker/train/cache_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "worker/data/scratch.h"
#include "worker/measure/process.h"
#include "worker/storage/file_reader.h"
#include "worker/train/silent_observer.h"

namespace fairlap::train {
namespace {

namespace fs = std::filesystem;
using api::CacheState;
using ::testing::HasSubstr;

constexpr int64_t kFileBytes = 69'000;  // 16.8 pages

// Files of random bytes, of which Load makes nothing.
class Files : public data::Dataset {
 public:
  Files(const fs::path& parent, int64_t count, int64_t files_per_sample = 1)
      : count_(count), files_per_sample_(files_per_sample) {
    std::string name = parent.string() + "/fairlap-XXXXXX";
    folder_ = mkdtemp(name.data());
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t file = 0; file < files_per_sample; ++file) {
        std::ofstream(SampleFile(i, file)) << std::string(kFileBytes, 'x');
      }
    }
  }
  ~Files() override { fs::remove_all(folder_); }

  int64_t size() const override { return count_; }
  int64_t image_size() const override { return 1; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return count_ * files_per_sample_ * kFileBytes; }
  std::string identity() const override { return "files"; }
  std::string SampleName(int64_t index) const override { return std::to_string(index); }
  int64_t files_per_sample() const override { return files_per_sample_; }
  std::string SampleFile(int64_t index, int64_t file) const override {
    return folder_ / (std::to_string(index) + "-" + std::to_string(file));
  }

  base::Result<data::SampleResult> Load(const data::SampleRequest& request, std::span<float>,
                                        data::Scratch& scratch) const override {
    data::SampleResult result;
    for (int64_t file = 0; file < files_per_sample_; ++file) {
      const auto read = scratch.reader.ReadFile(SampleFile(request.index, file));
      if (!read) return tl::unexpected(read.error());
      result.cost.bytes += std::ssize(*read);
      result.cost.page_bytes += storage::RoundUpToPages(std::ssize(*read));
    }
    return result;
  }

 private:
  const int64_t count_, files_per_sample_;
  const std::vector<std::string> classes_ = {"a"};
  fs::path folder_;
};

class Told : public SilentObserver {
 public:
  void OnPhase(Phase phase) override { phases.push_back(phase); }
  void OnMark(Mark mark) override { marks.push_back(mark); }
  void OnCache(const CacheRecord& record) override { cache.push_back(record); }

  std::vector<Phase> phases;
  std::vector<Mark> marks;
  std::vector<CacheRecord> cache;
};

data::FirstPass ReadOnce(const data::Dataset& dataset) {
  data::Pipeline pipeline(dataset, {.batch_size = 8,
                                    .threads = 2,
                                    .prefetch_batches = 2,
                                    .epochs = 1,
                                    .fetched_bytes = measure::FetchedByThread});
  while (true) {
    const auto batch = pipeline.Next({});
    EXPECT_TRUE(batch.has_value());
    if (!batch || !*batch) return pipeline.ReadInFirstPass();
  }
}

WorkingSet AllOf(const std::vector<const data::Dataset*>& datasets) {
  WorkingSet set;
  for (const data::Dataset* dataset : datasets) {
    std::vector<int64_t> samples;
    for (int64_t i = 0; i < dataset->size(); ++i) samples.push_back(i);
    set.Add(*dataset, std::move(samples));
  }
  return set;
}

// Prepares, calls `between`, and reads every data set once.
Told PrepareAndRead(
    const std::vector<const data::Dataset*>& datasets, api::Cache cache,
    const std::function<void()>& between = [] {}) {
  Told told;
  CacheControl control(AllOf(datasets), {.cache = cache, .seed = 3}, told);
  const base::Status prepared = control.Prepare({});
  EXPECT_TRUE(prepared.has_value());
  between();
  for (const data::Dataset* dataset : datasets) {
    control.BeginPass();
    control.EndPass(ReadOnce(*dataset));
  }
  return told;
}

class CacheControlOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    struct statfs facts {};
    ASSERT_EQ(statfs(testing::TempDir().c_str(), &facts), 0);
    if (facts.f_type != EXT4_SUPER_MAGIC && facts.f_type != XFS_SUPER_MAGIC) {
      GTEST_SKIP() << "TEST_TMPDIR is neither on ext4 nor on xfs";
    }
  }
};

TEST_F(CacheControlOnDisk, MakesFilesColdAndProvesIt) {
  const Files train(testing::TempDir(), 100), validation(testing::TempDir(), 30, 2);
  const Told told = PrepareAndRead({&train, &validation}, api::Cache::kCold);
  ASSERT_EQ(told.cache.size(), 3U);
  EXPECT_EQ(told.cache[0].state, CacheState::kUnverified) << "nothing was read yet";
  EXPECT_EQ(told.cache[1].state, CacheState::kCold) << told.cache[1].reason;
  EXPECT_EQ(told.cache[2].state, CacheState::kCold) << told.cache[2].reason;
  EXPECT_THAT(told.cache[2].reason, HasSubstr("0 of 160 sampled pages"));
  EXPECT_GT(told.cache[0].prepare_seconds, 0);
  EXPECT_EQ(told.phases, std::vector{Phase::kPreparingCache});
  EXPECT_EQ(told.marks, std::vector{Mark::kCachePrepared});
}

TEST_F(CacheControlOnDisk, IsNotDeceivedByAReaderThatComesInBetween) {
  const Files train(testing::TempDir(), 100);
  const Told told = PrepareAndRead({&train}, api::Cache::kCold, [&] { ReadOnce(train); });
  EXPECT_EQ(told.cache.back().state, CacheState::kUnverified);
  EXPECT_THAT(told.cache.back().reason, HasSubstr("0 % of the bytes were fetched"));
}

TEST_F(CacheControlOnDisk, WarmsFilesAndProvesIt) {
  const Files train(testing::TempDir(), 100);
  for (int64_t i = 0; i < train.size(); ++i) {
    ASSERT_TRUE(storage::EvictFile(train.SampleFile(i, 0).c_str()).has_value());
  }
  const Told told = PrepareAndRead({&train}, api::Cache::kWarm);
  EXPECT_EQ(told.cache.back().state, CacheState::kWarm) << told.cache.back().reason;
  EXPECT_EQ(told.marks, std::vector{Mark::kCachePrepared});
}

TEST_F(CacheControlOnDisk, DoesNotCallWarmWhatWasEvictedAgain) {
  const Files train(testing::TempDir(), 100);
  const Told told = PrepareAndRead({&train}, api::Cache::kWarm, [&] {
    for (int round = 0; round < 3; ++round) {
      for (int64_t i = 0; i < train.size(); ++i) {
        ASSERT_TRUE(storage::EvictFile(train.SampleFile(i, 0).c_str()).has_value());
      }
    }
  });
  EXPECT_EQ(told.cache.back().state, CacheState::kUnverified);
}

TEST(CacheControl, VerifiesNothingOnTmpfs) {
  struct statfs facts {};
  if (statfs("/dev/shm", &facts) != 0 || facts.f_type != TMPFS_MAGIC) {
    GTEST_SKIP() << "/dev/shm is no tmpfs";
  }
  const Files train("/dev/shm", 10);
  for (const api::Cache cache : {api::Cache::kCold, api::Cache::kWarm}) {
    const Told told = PrepareAndRead({&train}, cache);
    EXPECT_EQ(told.cache.back().state, CacheState::kUnverified);
    EXPECT_THAT(told.cache.back().reason, HasSubstr("tmpfs"));
  }
}

TEST(CacheControl, LeavesAloneWhatIsToStayAsItIs) {
  const Files train(testing::TempDir(), 1);
  const Told told = PrepareAndRead({&train}, api::Cache::kAsIs);
  ASSERT_EQ(told.cache.size(), 1U);
  EXPECT_EQ(told.cache[0].state, CacheState::kAsIs);
  EXPECT_FALSE(told.cache[0].prepare_seconds.has_value());
  EXPECT_TRUE(told.phases.empty());
  EXPECT_TRUE(told.marks.empty());
}

TEST(CacheControl, StopsWhenItIsAsked) {
  const Files train(testing::TempDir(), 1);
  std::stop_source stop;
  stop.request_stop();
  Told told;
  CacheControl control(AllOf({&train}), {.cache = api::Cache::kCold}, told);
  const base::Status prepared = control.Prepare(stop.get_token());
  ASSERT_FALSE(prepared.has_value());
  EXPECT_EQ(prepared.error().kind, base::ErrorKind::kInterrupted);
  EXPECT_TRUE(told.marks.empty());
}

// ---- the working set ----

// Names files that need not exist.
class Named : public data::Dataset {
 public:
  Named(std::string prefix, int64_t count, int64_t files_per_sample)
      : prefix_(std::move(prefix)), count_(count), files_per_sample_(files_per_sample) {}

  int64_t size() const override { return count_; }
  int64_t image_size() const override { return 1; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return 0; }
  std::string identity() const override { return "named"; }
  std::string SampleName(int64_t index) const override { return std::to_string(index); }
  int64_t files_per_sample() const override { return files_per_sample_; }
  std::string SampleFile(int64_t index, int64_t file) const override {
    return prefix_ + std::to_string(index) + "/" + std::to_string(file);
  }
  base::Result<data::SampleResult> Load(const data::SampleRequest&, std::span<float>,
                                        data::Scratch&) const override {
    return data::SampleResult{};
  }

 private:
  const std::string prefix_;
  const int64_t count_, files_per_sample_;
  const std::vector<std::string> classes_ = {"a"};
};

std::vector<std::string> Paths(const WorkingSet& set) {
  std::vector<std::string> paths;
  for (int64_t file = 0; file < set.files(); ++file) paths.push_back(set.Path(file));
  return paths;
}

Splits MakeSplits(int64_t train, int64_t validation, int64_t files_per_sample) {
  Splits splits;
  splits.train = std::make_unique<Named>("t", train, files_per_sample);
  if (validation > 0)
    splits.validation = std::make_unique<Named>("v", validation, files_per_sample);
  return splits;
}

TEST(FindWorkingSet, IsBothSplitsWhereEpochsAreCounted) {
  api::RunConfig config;
  config.problem.stop.epochs = 2;
  EXPECT_THAT(Paths(FindWorkingSet(MakeSplits(2, 1, 2), config, 8)),
              testing::ElementsAre("t0/0", "t0/1", "t1/0", "t1/1", "v0/0", "v0/1"));
}

TEST(FindWorkingSet, IsWhatTheStepsReadAndReadAhead) {
  const Splits splits = MakeSplits(100, 0, 1);
  api::RunConfig config;
  config.seed = 5;
  config.problem.stop.steps = 3;
  config.software.input.prefetch_batches = 2;
  const auto paths = Paths(FindWorkingSet(splits, config, 4));
  ASSERT_EQ(paths.size(), 20U);

  data::Pipeline pipeline(*splits.train,
                          {.batch_size = 4, .threads = 1, .prefetch_batches = 2, .seed = 5});
  std::vector<std::string> read;
  for (int batch = 0; batch < 5; ++batch) {
    const data::Batch taken = **pipeline.Next({});
    for (const int64_t index : taken.indices) {
      read.push_back(splits.train->SampleFile(index, 0));
    }
  }
  EXPECT_EQ(paths, read);
}

TEST(FindWorkingSet, IsEveryFileOnceOfStepsBeyondAnEpoch) {
  api::RunConfig config;
  config.problem.stop.steps = 1000;
  const WorkingSet set = FindWorkingSet(MakeSplits(10, 0, 1), config, 4);
  EXPECT_EQ(set.files(), 10);
}

TEST(FindWorkingSet, IsEmptyForSyntheticDataAndForSamplesInMemory) {
  api::RunConfig config;
  config.problem.stop.epochs = 1;
  EXPECT_EQ(FindWorkingSet({}, config, 4).files(), 0);
  EXPECT_EQ(FindWorkingSet(MakeSplits(10, 10, 0), config, 4).files(), 0);
}

}  // namespace
}  // namespace fairlap::train

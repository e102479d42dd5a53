#include "worker/data/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "worker/data/sample_order.h"

namespace fairlap::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Pixels and label of a sample say which one it is and how it was asked for.
class FakeDataset : public Dataset {
 public:
  explicit FakeDataset(int64_t size, std::set<int64_t> bad = {})
      : size_(size), bad_(std::move(bad)) {}

  int64_t size() const override { return size_; }
  int64_t image_size() const override { return 2; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return size_; }
  std::string identity() const override { return "fake"; }
  std::string SampleName(int64_t index) const override {
    return "a/" + std::to_string(index) + ".jpg";
  }
  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& /*scratch*/) const override {
    if (bad_.contains(request.index)) {
      return base::MakeError(base::ErrorKind::kInvalidInput, "truncated JPEG");
    }
    std::fill(pixels.begin(), pixels.end(), static_cast<float>(request.index));
    pixels[0] = static_cast<float>(request.random % 100'003);
    SampleResult result{.label = request.index % 10, .cost = {}};
    result.cost.read = std::chrono::nanoseconds(1000);
    result.cost.decode = std::chrono::nanoseconds(2000);
    result.cost.transform = std::chrono::nanoseconds(3000);
    result.cost.bytes = 5;
    return result;
  }

 private:
  int64_t size_;
  std::set<int64_t> bad_;
  std::vector<std::string> classes_ = std::vector<std::string>(10);
};

// Holds chosen samples until they are let go, and says when one is being held.
class GatedDataset : public FakeDataset {
 public:
  GatedDataset(int64_t size, std::set<int64_t> held) : FakeDataset(size), held_(std::move(held)) {}

  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override {
    {
      std::unique_lock lock(mutex_);
      if (held_.contains(request.index)) {
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
      }
      ++loads_;
    }
    return FakeDataset::Load(request, pixels, scratch);
  }

  void AwaitHeld(int64_t count) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }
  void Open() const {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  int64_t loads() const {
    const std::lock_guard lock(mutex_);
    return loads_;
  }

 private:
  std::set<int64_t> held_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable bool open_ = false;
  mutable int64_t waiting_ = 0, loads_ = 0;
};

std::set<int64_t> All(int64_t size) {
  std::set<int64_t> all;
  for (int64_t i = 0; i < size; ++i) all.insert(i);
  return all;
}

struct Copy {
  std::vector<float> pixels;
  std::vector<int64_t> labels, indices;
  int64_t epoch;
  bool last;
  bool operator==(const Copy&) const = default;
};

std::vector<Copy> TakeAll(Pipeline& pipeline) {
  std::vector<Copy> copies;
  while (true) {
    const auto batch = pipeline.Next({});
    if (!batch.has_value() || !batch->has_value()) {
      EXPECT_TRUE(batch.has_value()) << batch.error().message;
      return copies;
    }
    const Batch& b = **batch;
    copies.push_back({{b.pixels.begin(), b.pixels.end()},
                      {b.labels.begin(), b.labels.end()},
                      {b.indices.begin(), b.indices.end()},
                      b.epoch,
                      b.last_of_epoch});
  }
}

std::vector<Copy> BatchesOf(const Dataset& dataset, const PipelineOptions& options) {
  Pipeline pipeline(dataset, options);
  return TakeAll(pipeline);
}

// Fetches 7 bytes for every sample that the thread loads.
class FetchingDataset : public FakeDataset {
 public:
  using FakeDataset::FakeDataset;

  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override {
    {
      const std::lock_guard lock(mutex_);
      fetched_[gettid()] += 7;
    }
    auto loaded = FakeDataset::Load(request, pixels, scratch);
    if (loaded) loaded->cost.page_bytes = 4096;
    return loaded;
  }
  ThreadByteCounter Counter() const {
    return [this](int64_t thread) -> std::optional<int64_t> {
      const std::lock_guard lock(mutex_);
      const auto found = fetched_.find(thread);
      return found == fetched_.end() ? 0 : found->second;
    };
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<int64_t, int64_t> fetched_;
};

TEST(Pipeline, TellsWhatTheFirstEpochReadAndNothingOfLaterOnes) {
  for (const int64_t threads : {1, 3}) {
    const FetchingDataset dataset(20);
    PipelineOptions options{
        .batch_size = 8, .threads = threads, .prefetch_batches = 3, .epochs = 3};
    options.fetched_bytes = dataset.Counter();
    Pipeline pipeline(dataset, options);
    EXPECT_EQ(TakeAll(pipeline).size(), 9U);
    const FirstPass pass = pipeline.ReadInFirstPass();
    EXPECT_EQ(pass.bytes, 20 * 5);
    EXPECT_EQ(pass.page_bytes, 20 * 4096);
    EXPECT_EQ(pass.fetched_bytes, 20 * 7);
    EXPECT_EQ(pipeline.Totals().bytes_requested, 3 * 20 * 5);
  }
}

TEST(Pipeline, TellsWhatItsThreadsFetchedWhileTheyAreStillInTheFirstEpoch) {
  const FetchingDataset dataset(1000);
  PipelineOptions options{.batch_size = 4, .threads = 1, .prefetch_batches = 1};
  options.fetched_bytes = dataset.Counter();
  Pipeline pipeline(dataset, options);
  ASSERT_TRUE(pipeline.Next({}).has_value());
  const FirstPass pass = pipeline.ReadInFirstPass();
  EXPECT_GE(pass.bytes, 4 * 5);
  EXPECT_GE(pass.fetched_bytes.value() / 7, pass.bytes / 5);
}

TEST(Pipeline, DoesNotTellWhatWasFetchedWhereNobodyKnows) {
  const FetchingDataset dataset(20);
  PipelineOptions options{.batch_size = 8, .threads = 2, .prefetch_batches = 3, .epochs = 2};
  options.fetched_bytes = [](int64_t) -> std::optional<int64_t> { return std::nullopt; };
  Pipeline silent(dataset, options);
  TakeAll(silent);
  EXPECT_EQ(silent.ReadInFirstPass().fetched_bytes, std::nullopt);
  options.fetched_bytes = {};
  Pipeline unasked(dataset, options);
  TakeAll(unasked);
  EXPECT_EQ(unasked.ReadInFirstPass().fetched_bytes, std::nullopt);
  EXPECT_EQ(unasked.ReadInFirstPass().bytes, 20 * 5);
}

TEST(Pipeline, GivesTheSameBatchesForAnyNumberOfThreads) {
  const FakeDataset dataset(103);
  PipelineOptions options{
      .batch_size = 8, .threads = 1, .prefetch_batches = 3, .seed = 4, .epochs = 3};
  const auto expected = BatchesOf(dataset, options);
  for (const int64_t threads : {2, 7}) {
    options.threads = threads;
    EXPECT_EQ(BatchesOf(dataset, options), expected);
  }
  options.prefetch_batches = 1;
  EXPECT_EQ(BatchesOf(dataset, options), expected);
  options.seed = 5;
  EXPECT_NE(BatchesOf(dataset, options), expected);
}

TEST(Pipeline, BringsEverySampleOnceAnEpochInANewOrder) {
  const FakeDataset dataset(103);
  const auto batches =
      BatchesOf(dataset, {.batch_size = 8, .threads = 3, .prefetch_batches = 2, .epochs = 3});
  ASSERT_EQ(batches.size(), 3U * 13);
  std::vector<std::vector<int64_t>> orders(3);
  for (const Copy& batch : batches) {
    auto& order = orders[static_cast<size_t>(batch.epoch)];
    order.insert(order.end(), batch.indices.begin(), batch.indices.end());
    EXPECT_EQ(batch.last, order.size() == 103);
    EXPECT_EQ(batch.indices.size(), batch.last ? 103 % 8 : 8);
    for (size_t i = 0; i < batch.indices.size(); ++i) {
      EXPECT_EQ(batch.labels[i], batch.indices[i] % 10);
      EXPECT_EQ(batch.pixels[i * 12 + 11], static_cast<float>(batch.indices[i]));
    }
  }
  for (const auto& order : orders) {
    EXPECT_EQ(std::set<int64_t>(order.begin(), order.end()), All(103));
    EXPECT_EQ(order.size(), 103U);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orders[1], orders[2]);
}

TEST(Pipeline, KeepsTheOrderWhenNotShuffling) {
  const FakeDataset dataset(5);
  const auto batches =
      BatchesOf(dataset, {.batch_size = 2, .threads = 3, .shuffle = false, .epochs = 2});
  ASSERT_EQ(batches.size(), 6U);
  EXPECT_THAT(batches[0].indices, ElementsAre(0, 1));
  EXPECT_THAT(batches[2].indices, ElementsAre(4));
  EXPECT_THAT(batches[3].indices, ElementsAre(0, 1));
}

TEST(Pipeline, AugmentsASampleDifferentlyInEachEpoch) {
  const FakeDataset dataset(1);
  const auto batches = BatchesOf(dataset, {.batch_size = 4, .threads = 2, .epochs = 2});
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_NE(batches[0].pixels[0], batches[1].pixels[0]);
}

TEST(Pipeline, GoesOnForeverWithoutANumberOfEpochs) {
  const FakeDataset dataset(3);
  Pipeline pipeline(dataset, {.batch_size = 4, .threads = 2});
  for (int64_t epoch = 0; epoch < 100; ++epoch) {
    const auto batch = pipeline.Next({});
    ASSERT_TRUE(batch.has_value() && batch->has_value());
    EXPECT_EQ((*batch)->epoch, epoch);
    EXPECT_EQ((*batch)->size, 3);
  }
}

TEST(Pipeline, EndsAtOnceWithoutSamples) {
  const FakeDataset dataset(0);
  EXPECT_TRUE(BatchesOf(dataset, {.threads = 2}).empty());
}

TEST(Pipeline, LeavesBadFilesOutAndCountsEachOnce) {
  const FakeDataset dataset(12, {1, 4, 5, 11});
  Pipeline pipeline(
      dataset, {.batch_size = 4, .threads = 3, .shuffle = false, .epochs = 2, .max_bad_files = 4});
  const auto batches = TakeAll(pipeline);
  ASSERT_EQ(batches.size(), 6U);
  EXPECT_THAT(batches[0].indices, ElementsAre(0, 2, 3));
  EXPECT_THAT(batches[0].labels, ElementsAre(0, 2, 3));
  EXPECT_EQ(batches[0].pixels.size(), 3U * 12);
  EXPECT_EQ(batches[0].pixels[12 + 5], 2.0F);
  EXPECT_THAT(batches[1].indices, ElementsAre(6, 7));
  EXPECT_THAT(batches[2].indices, ElementsAre(8, 9, 10));
  EXPECT_TRUE(batches[2].last);
  EXPECT_EQ(batches[3].indices, batches[0].indices);
  EXPECT_EQ(pipeline.Totals().bad_files, 4);
  EXPECT_EQ(pipeline.Totals().samples, 16);
  const auto bad = pipeline.BadSamples();
  ASSERT_EQ(bad.size(), 4U);
  EXPECT_EQ(bad[0].path, "a/1.jpg");
  EXPECT_EQ(bad[0].reason, "truncated JPEG");
}

TEST(Pipeline, MayLendAnEmptyBatch) {
  const FakeDataset dataset(4, {0, 1});
  const auto batches = BatchesOf(
      dataset, {.batch_size = 2, .threads = 2, .shuffle = false, .epochs = 1, .max_bad_files = 2});
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_TRUE(batches[0].indices.empty());
  EXPECT_THAT(batches[1].indices, ElementsAre(2, 3));
}

TEST(Pipeline, FailsNamingTheFileThatIsOneTooMany) {
  const FakeDataset dataset(40, {9, 17, 30});
  for (const int64_t threads : {1, 7}) {
    Pipeline pipeline(
        dataset,
        {.batch_size = 4, .threads = threads, .shuffle = false, .epochs = 1, .max_bad_files = 1});
    int64_t samples = 0;
    while (true) {
      const auto batch = pipeline.Next({});
      if (!batch) {
        EXPECT_EQ(batch.error().kind, base::ErrorKind::kInvalidInput);
        EXPECT_THAT(batch.error().message, HasSubstr("a/17.jpg: truncated JPEG"));
        break;
      }
      ASSERT_TRUE(batch->has_value());
      samples += (*batch)->size;
    }
    EXPECT_EQ(samples, 15);
    EXPECT_EQ(pipeline.Totals().bad_files, 2);
  }
}

TEST(Pipeline, KeepsTheNamesOfAHundredBadFiles) {
  const FakeDataset dataset(150, All(150));
  Pipeline pipeline(dataset, {.threads = 2, .epochs = 1, .max_bad_files = 150});
  TakeAll(pipeline);
  EXPECT_EQ(pipeline.Totals().bad_files, 150);
  EXPECT_EQ(pipeline.BadSamples().size(), 100U);
}

// Samples 0 and 3 are gone, 1 cannot be read, 2 is no image.
class MissingFiles : public FakeDataset {
 public:
  using FakeDataset::FakeDataset;
  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override {
    switch (request.index) {
      case 0:
      case 3: return base::MakeError(base::ErrorKind::kNotFound, "cannot open");
      case 1: return base::MakeError(base::ErrorKind::kIo, "cannot read");
      case 2: return base::MakeError(base::ErrorKind::kInvalidInput, "truncated JPEG");
      default: return FakeDataset::Load(request, pixels, scratch);
    }
  }
};

TEST(Pipeline, TellsFilesThatCannotBeReadFromThoseThatAreNoImages) {
  const MissingFiles dataset(8);
  Pipeline pipeline(dataset, {.batch_size = 2, .threads = 2, .epochs = 2, .max_bad_files = 4});
  TakeAll(pipeline);
  EXPECT_EQ(pipeline.Totals().bad_files, 4);
  EXPECT_EQ(pipeline.Totals().unreadable_files, 3);
}

TEST(Pipeline, AddsUpWhatLoadingCost) {
  const FakeDataset dataset(50);
  Pipeline pipeline(dataset, {.batch_size = 8, .threads = 3, .epochs = 2});
  TakeAll(pipeline);
  const PipelineTotals totals = pipeline.Totals();
  EXPECT_EQ(totals.samples, 100);
  EXPECT_EQ(totals.bytes_requested, 500);
  EXPECT_NEAR(totals.read_seconds, 100e-6, 1e-9);
  EXPECT_NEAR(totals.decode_seconds, 200e-6, 1e-9);
  EXPECT_NEAR(totals.transform_seconds, 300e-6, 1e-9);
}

TEST(Pipeline, MayBeWatchedFromAnotherThread) {
  const FakeDataset dataset(64, {7});
  Pipeline pipeline(dataset, {.batch_size = 4, .threads = 3, .epochs = 20, .max_bad_files = 1});
  std::jthread watcher([&pipeline](const std::stop_token& stop) {
    int64_t samples = 0;
    while (!stop.stop_requested()) {
      const PipelineTotals totals = pipeline.Totals();
      EXPECT_GE(totals.samples, samples);
      samples = totals.samples;
      EXPECT_LE(pipeline.ready_batches(), 4);
      EXPECT_LE(pipeline.BadSamples().size(), 1U);
    }
  });
  TakeAll(pipeline);
}

// Sample 0 is slow: its own batch waits, the ones behind it do not, up to the bound.
TEST(Pipeline, LoadsAheadOfASlowSampleButNotWithoutBound) {
  const GatedDataset dataset(100, {0});
  Pipeline pipeline(
      dataset,
      {.batch_size = 2, .threads = 2, .prefetch_batches = 3, .shuffle = false, .epochs = 1});
  dataset.AwaitHeld(1);
  while (pipeline.ready_batches() < 2) std::this_thread::yield();
  EXPECT_EQ(dataset.loads(), 5);  // batches 1 and 2, and sample 1
  dataset.Open();
  const auto batch = pipeline.Next({});
  ASSERT_TRUE(batch.has_value() && batch->has_value());
  EXPECT_THAT((*batch)->indices, ElementsAre(0, 1));
}

TEST(Pipeline, NextReturnsWhenAskedToStopWhileSamplesAreSlow) {
  const GatedDataset dataset(100, All(100));
  Pipeline pipeline(dataset, {.batch_size = 2, .threads = 3});
  dataset.AwaitHeld(3);
  std::stop_source stop;
  std::jthread stopper([&stop] { stop.request_stop(); });
  const auto batch = pipeline.Next(stop.get_token());
  ASSERT_FALSE(batch.has_value());
  EXPECT_EQ(batch.error().kind, base::ErrorKind::kInterrupted);
  dataset.Open();
}

// Its threads are in the middle of a sample each; with a million to go the end must not wait for
// more.
TEST(Pipeline, EndsWhenDestroyedInTheMiddleOfSlowSamples) {
  const GatedDataset dataset(1'000'000, All(1000));
  std::jthread opener;
  {
    Pipeline pipeline(dataset, {.batch_size = 60'000, .threads = 3, .shuffle = false});
    dataset.AwaitHeld(3);
    opener = std::jthread([&dataset] { dataset.Open(); });
  }
  EXPECT_LT(dataset.loads(), 240'000);
}

TEST(Pipeline, StopsWhileEverythingIsAhead) {
  const FakeDataset dataset(1000);
  Pipeline pipeline(dataset, {.batch_size = 10, .threads = 4, .prefetch_batches = 2});
  while (pipeline.ready_batches() < 2) std::this_thread::yield();
}

TEST(SampleOrder, IsTheSameOnEveryMachine) {
  SampleOrder order(8, 8, 42, true);
  const auto samples = order.Samples(0);
  EXPECT_EQ(std::vector<int64_t>(samples.begin(), samples.end()),
            std::vector<int64_t>({7, 5, 6, 2, 3, 4, 0, 1}));
}

}  // namespace
}  // namespace fairlap::data

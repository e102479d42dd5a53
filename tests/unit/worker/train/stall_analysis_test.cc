#include "worker/train/stall_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "worker/measure/stall_shares.h"
#include "worker/model/registry.h"

namespace fairlap::train {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr int64_t kEdge = 8;

// Plain images whose loading waits: always for the preparation, and once for the fetch.
class SlowImages : public data::Dataset {
 public:
  explicit SlowImages(int64_t size) : size_(size), cached_(static_cast<size_t>(size)) {}

  int64_t size() const override { return size_; }
  int64_t image_size() const override { return kEdge; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return 1000 * size_; }
  std::string identity() const override { return "identity"; }
  std::string SampleName(int64_t index) const override { return std::to_string(index); }

  base::Result<data::SampleResult> Load(const data::SampleRequest& request, std::span<float> pixels,
                                        data::Scratch&) const override {
    std::this_thread::sleep_for(prepare);
    if (!cached_[request.index].exchange(true)) {
      std::this_thread::sleep_for(fetch);
      ++fetches;
    }
    std::fill(pixels.begin(), pixels.end(), 0.5F);
    return data::SampleResult{.label = request.index % 2, .cost = {}};
  }

  void Evict(int64_t index) { cached_[index] = false; }
  bool is_cached(int64_t index) const { return cached_[index]; }

  milliseconds prepare{0}, fetch{0};
  mutable std::atomic<int64_t> fetches{0};

 private:
  const int64_t size_;
  const std::vector<std::string> classes_{"a", "b"};
  mutable std::vector<std::atomic<bool>> cached_;
};

class FakeCache : public StallCache {
 public:
  explicit FakeCache(SlowImages& images) : images_(images) {}

  base::Status Evict(std::span<const int64_t> samples, const std::stop_token&) override {
    evicted.assign(samples.begin(), samples.end());
    for (const int64_t sample : evicted) images_.Evict(sample);
    return refusal;
  }
  std::optional<std::string> WhyNotCold() override { return not_cold; }
  std::optional<std::string> WhyNotWarm() override { return std::nullopt; }

  std::vector<int64_t> evicted;
  base::Status refusal;
  std::optional<std::string> not_cold;

 private:
  SlowImages& images_;
};

class StallAnalysisTest : public ::testing::Test {
 protected:
  StallTask MakeTask() {
    StallTask task{.network = *network_, .dataset = images_, .cache = cache_};
    task.files.pipeline.batch_size = 2;
    task.files.pipeline.threads = 1;
    task.files.pipeline.prefetch_batches = 1;
    task.files.pipeline.seed = 7;
    task.synthetic.batch_size = 2;
    task.synthetic.image_size = kEdge;
    task.synthetic.classes = 2;
    task.most_bytes = int64_t{1} << 30;
    network_->train();
    torch::set_num_threads(1);  // more of them wait for each other on a busy machine
    return task;
  }

  api::StallAnalysis Run() { return RunStallAnalysis(MakeTask(), {}).value(); }

  std::shared_ptr<model::Network> network_ = model::MakeNetwork("resnet20v1", 2);
  SlowImages images_{60};
  FakeCache cache_{images_};
};

TEST_F(StallAnalysisTest, TellsFetchingFromPreparing) {
  // A step of a batch of two waits 2 x 20 ms for the preparation, and cold 2 x 40 ms more: the
  // least that a phase can take, whatever else the machine does.
  images_.prepare = milliseconds(20);
  images_.fetch = milliseconds(40);
  const api::StallAnalysis found = Run();
  ASSERT_TRUE(found.t3 && found.t2) << found.reason.value_or("");
  EXPECT_GE(*found.t3, 0.040);
  EXPECT_GE(*found.t2, 0.120);
  EXPECT_EQ(images_.fetches, 60);  // in t2, and in no other phase
}

TEST_F(StallAnalysisTest, ReadsTheSameSamplesColdAndWarm) {
  ASSERT_NE(Run().state, api::StallState::kNotMeasured);
  ASSERT_EQ(cache_.evicted.size(), 60U);
  for (const int64_t sample : cache_.evicted) EXPECT_TRUE(images_.is_cached(sample));
}

TEST_F(StallAnalysisTest, LeavesTheWeightsAsTheyWere) {
  std::vector<torch::Tensor> before;
  for (const torch::Tensor& parameter : network_->parameters()) before.push_back(parameter.clone());
  Run();
  size_t i = 0;
  for (const torch::Tensor& parameter : network_->parameters()) {
    EXPECT_TRUE(torch::equal(parameter, before[i++]));
  }
}

TEST_F(StallAnalysisTest, SaysHowFewStepsASmallDataSetAllows) {
  EXPECT_THAT(Run().reason, Optional(HasSubstr("26 steps a phase")));  // 30 batches, 4 discarded
}

TEST_F(StallAnalysisTest, ReadsNoMoreThanTheCacheIsSureToHold) {
  StallTask task = MakeTask();
  task.most_bytes = 2000 * 25;
  EXPECT_EQ(StallBatches(task), 25);
}

TEST_F(StallAnalysisTest, FailsWithAReasonOnADataSetThatIsTooSmall) {
  StallTask task = MakeTask();
  task.files.pipeline.batch_size = 20;
  const auto found = RunStallAnalysis(task, {}).value();
  EXPECT_EQ(found.state, api::StallState::kFailed);
  EXPECT_THAT(found.reason, Optional(HasSubstr("only 0 steps")));
}

TEST_F(StallAnalysisTest, FailsWithAReasonWhereTheCacheCannotBeEvicted) {
  cache_.refusal = base::MakeError(base::ErrorKind::kUnavailable, "fuse cannot be proven cold");
  const api::StallAnalysis found = Run();
  EXPECT_EQ(found.state, api::StallState::kFailed);
  EXPECT_EQ(found.reason, "fuse cannot be proven cold");
}

TEST_F(StallAnalysisTest, GivesNoSharesWhereTheColdPhaseWasNotCold) {
  cache_.not_cold = "half of it was cached";
  const api::StallAnalysis found = Run();
  EXPECT_EQ(found.state, api::StallState::kUnsteady);
  EXPECT_THAT(found.reason, Optional(HasSubstr("t2: half of it was cached")));
  EXPECT_FALSE(found.fetch_share);
}

TEST_F(StallAnalysisTest, IsInterruptedBetweenSteps) {
  std::stop_source stop;
  stop.request_stop();
  const auto found = RunStallAnalysis(MakeTask(), stop.get_token());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, base::ErrorKind::kInterrupted);
}

}  // namespace
}  // namespace fairlap::train

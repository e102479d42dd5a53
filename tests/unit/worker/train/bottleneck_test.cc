// Runs whose stall is known because it was built in: the real pipeline, training loop and recorder,
// with delays where a sample is loaded, copied or computed with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "virtual_clock.h"
#include "worker/report/recorder.h"
#include "worker/train/loop.h"

namespace fairlap::train {
namespace {

using api::Bottleneck;
using std::chrono::milliseconds;
using ::testing::StartsWith;

constexpr double kThreePoints = 0.03;
constexpr int64_t kManySamples = 10'000;

struct Delays {
  std::function<data::LoadCost(int64_t index)> load;
  milliseconds copy{}, model{};
};

data::LoadCost Cost(int read, int decode, int transform) {
  return {milliseconds(read), milliseconds(decode), milliseconds(transform)};
}

class DelayedImages : public data::Dataset {
 public:
  DelayedImages(const Delays& delays, VirtualClock& clock) : delays_(delays), clock_(clock) {}
  int64_t size() const override { return kManySamples; }
  int64_t image_size() const override { return 2; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return 0; }
  std::string identity() const override { return "identity"; }
  std::string SampleName(int64_t index) const override { return std::to_string(index); }

  base::Result<data::SampleResult> Load(const data::SampleRequest& request, std::span<float> pixels,
                                        data::Scratch&) const override {
    const data::LoadCost cost = delays_.load(request.index);
    clock_.Load(request.index, cost.read + cost.decode + cost.transform);
    std::fill(pixels.begin(), pixels.end(), 0.5F);
    return data::SampleResult{.label = request.index % 2, .cost = cost};
  }

 private:
  const Delays& delays_;
  VirtualClock& clock_;
  const std::vector<std::string> classes_ = {"a", "b"};
};

class DelayedCopies : public BatchSource {
 public:
  DelayedCopies(const data::Dataset& dataset, const data::PipelineOptions& options,
                const Delays& delays, VirtualClock& clock)
      : delays_(delays),
        clock_(clock),
        source_(MakePipelineSource(dataset,
                                   {.pipeline = options, .device = torch::kCPU, .labels = {}})) {}
  ~DelayedCopies() override { clock_.Stop(); }

  base::Result<std::optional<data::Batch>> Next(std::stop_token stop) override {
    clock_.BeginWaiting();
    auto batch = source_->Next(std::move(stop));
    clock_.EndWaiting();
    return batch;
  }
  step::DeviceBatch ToDevice(const data::Batch& batch) override {
    clock_.Work(delays_.copy);
    return source_->ToDevice(batch);
  }
  int64_t ready_batches() const override { return source_->ready_batches(); }
  data::PipelineTotals Totals() const override { return source_->Totals(); }

 private:
  const Delays& delays_;
  VirtualClock& clock_;
  const std::unique_ptr<BatchSource> source_;
};

class DelayedNetwork : public model::Network {
 public:
  DelayedNetwork(const Delays& delays, VirtualClock& clock)
      : delays_(delays),
        clock_(clock),
        linear_(register_module("linear", torch::nn::Linear(3 * 2 * 2, 2))) {}
  model::Prediction Forward(torch::Tensor images) override {
    clock_.Work(delays_.model);
    return {.output = linear_(images.flatten(1)), .auxiliary = {}};
  }

 private:
  const Delays& delays_;
  VirtualClock& clock_;
  torch::nn::Linear linear_;
};

class ConstructedRun : public ::testing::Test {
 protected:
  // On a busy machine compute threads would wait for each other.
  ConstructedRun() { step::SetNumerics(step::Precision::kFp32, /*threads=*/1); }

  // Batches of 4.
  api::RepeatFigures Train(const Delays& delays, int64_t threads, int64_t prefetch_batches,
                           int64_t steps) {
    const data::PipelineOptions options{.batch_size = 4,
                                        .threads = threads,
                                        .prefetch_batches = prefetch_batches,
                                        .shuffle = false};
    VirtualClock clock(options);
    const DelayedImages images(delays, clock);
    DelayedCopies batches(images, options, delays, clock);
    DelayedNetwork network(delays, clock);
    const api::RunConfig config = Config(options, steps);
    report::LiveMetrics metrics(config);
    report::Recorder recorder(
        config, clock, clock.WallNow(), [] { return std::nullopt; }, metrics);
    TrainOutcome outcome;
    const train::Task task{.network = network,
                           .batches = batches,
                           .stop = config.problem.stop,
                           .samples = images.size(),
                           .batch_size = options.batch_size,
                           .clock = clock};
    const base::Status status = train::Train(task, recorder, {}, outcome);
    EXPECT_TRUE(status) << status.error().message;
    EXPECT_EQ(recorder.Progress().now.bottleneck, recorder.Snapshot({}).summary.figures.bottleneck);
    return recorder.Snapshot({}).summary.figures;
  }

 private:
  static api::RunConfig Config(const data::PipelineOptions& options, int64_t steps) {
    api::RunConfig config;
    config.device = api::Device::kCpu;
    config.software.input.threads = options.threads;
    config.software.input.prefetch_batches = options.prefetch_batches;
    config.problem.dataset.format = api::DatasetFormat::kImageFolder;
    config.problem.warmup_steps = 0;
    config.problem.stop.steps = steps;
    return config;
  }
};

// A sample takes 10 ms, so two threads make a batch of 4 every 20 ms, and the model needs 8 ms.
constexpr double kInputStall = 12.0 / 20.0;

TEST_F(ConstructedRun, NamesTheReaderThatIsDelayed) {
  const Delays delays{.load = [](int64_t) { return Cost(8, 1, 1); }, .model = milliseconds(8)};
  const api::RepeatFigures figures = Train(delays, 2, 2, 36);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kRead) << *figures.bottleneck_reason;
  EXPECT_NEAR(*figures.data_stall_ratio, kInputStall, kThreePoints);
  EXPECT_NEAR(*figures.input_ready_ratio, 1 - kInputStall, kThreePoints);
  EXPECT_NEAR(*figures.input_threads_busy_ratio, 1, kThreePoints);
  EXPECT_NEAR(*figures.queue_depth, 0, kThreePoints);
}

TEST_F(ConstructedRun, NamesTheDecoderThatIsDelayed) {
  const Delays delays{.load = [](int64_t) { return Cost(1, 8, 1); }, .model = milliseconds(8)};
  const api::RepeatFigures figures = Train(delays, 2, 2, 36);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kDecode) << *figures.bottleneck_reason;
  EXPECT_NEAR(*figures.data_stall_ratio, kInputStall, kThreePoints);
}

TEST_F(ConstructedRun, NamesTheTransformThatIsDelayed) {
  const Delays delays{.load = [](int64_t) { return Cost(1, 1, 8); }, .model = milliseconds(8)};
  const api::RepeatFigures figures = Train(delays, 2, 2, 36);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kTransform) << *figures.bottleneck_reason;
  EXPECT_NEAR(*figures.data_stall_ratio, kInputStall, kThreePoints);
}

TEST_F(ConstructedRun, NamesTheCopyThatIsDelayed) {
  const Delays delays{.load = [](int64_t) { return Cost(1, 1, 1); },
                      .copy = milliseconds(12),
                      .model = milliseconds(8)};
  const api::RepeatFigures figures = Train(delays, 2, 2, 36);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kCopy) << *figures.bottleneck_reason;
  EXPECT_NEAR(*figures.exposed_copy_share, 12.0 / 20.0, kThreePoints);
  EXPECT_NEAR(*figures.input_stall_share, 0, kThreePoints);
}

TEST_F(ConstructedRun, NamesTheModelThatIsSlow) {
  const Delays delays{.load = [](int64_t) { return Cost(1, 1, 1); }, .model = milliseconds(20)};
  const api::RepeatFigures figures = Train(delays, 2, 2, 36);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kCompute) << *figures.bottleneck_reason;
  EXPECT_NEAR(*figures.data_stall_ratio, 0, kThreePoints);
  EXPECT_GT(*figures.queue_depth, 1.5);  // of 2
}

// Every 4th batch has one sample of 40 ms, and the model needs 5 ms a batch.
Delays RareSlowSamples() {
  return {.load = [](int64_t index) { return Cost(index % 16 == 5 ? 40 : 1, 0, 0); },
          .model = milliseconds(5)};
}

// With room for a single batch three of four threads have nothing to do during those 40 ms, and the
// model waits for 35 of 55 ms.
TEST_F(ConstructedRun, FindsAQueueTooShallowForRareSlowSamples) {
  const api::RepeatFigures figures = Train(RareSlowSamples(), 4, 1, 44);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kUnsteady);
  EXPECT_THAT(*figures.bottleneck_reason, StartsWith("input threads idle while training waited; "));
  EXPECT_NEAR(*figures.data_stall_ratio, 35.0 / 55.0, kThreePoints);
  EXPECT_NEAR(*figures.input_threads_busy_ratio, 55.0 / (4 * 55), kThreePoints);
}

TEST_F(ConstructedRun, HidesRareSlowSamplesBehindADeepQueue) {
  const api::RepeatFigures figures = Train(RareSlowSamples(), 4, 12, 66);
  EXPECT_EQ(figures.bottleneck, Bottleneck::kCompute) << *figures.bottleneck_reason;
  EXPECT_NEAR(*figures.data_stall_ratio, 0, kThreePoints);
}

}  // namespace
}  // namespace fairlap::train

// Whole trainings of a small network on a data set in memory, through the real input pipeline.
#include "worker/train/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "lib/base/random.h"
#include "worker/train/evaluate.h"
#include "worker/train/run.h"

namespace fairlap::train {
namespace {

using base::ErrorKind;

constexpr int64_t kEdge = 16;

// Images whose colour is their class; one sample may be unreadable.
class ColouredImages : public data::Dataset {
 public:
  explicit ColouredImages(int64_t size, std::vector<std::string> classes = {"a", "b", "c"},
                          int64_t bad = -1)
      : size_(size), classes_(std::move(classes)), bad_(bad) {}

  int64_t size() const override { return size_; }
  int64_t image_size() const override { return kEdge; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return 10 * size_; }
  std::string identity() const override { return "identity"; }
  std::string SampleName(int64_t index) const override { return std::to_string(index) + ".jpg"; }

  base::Result<data::SampleResult> Load(const data::SampleRequest& request, std::span<float> pixels,
                                        data::Scratch&) const override {
    if (request.index == bad_) return base::MakeError(ErrorKind::kInvalidInput, "truncated JPEG");
    const int64_t label = request.index % std::ssize(classes_);
    const int colour = classes_[static_cast<size_t>(label)][0] - 'a';
    const bool planar = request.order == data::PixelOrder::kChannelsFirst;
    for (size_t i = 0; i < pixels.size(); ++i) {
      const size_t channel = planar ? i / (kEdge * kEdge) : i % 3;
      const float noise = static_cast<float>((request.random + i * 7919) % 1000) / 1000.0F - 0.5F;
      pixels[i] = noise + (channel == static_cast<size_t>(colour) ? 1.0F : 0.0F);
    }
    return data::SampleResult{.label = label, .cost = {}};
  }

 private:
  int64_t size_;
  std::vector<std::string> classes_;
  int64_t bad_;
};

// Remembers everything; `on_step` is called as well.
class Memory : public Observer {
 public:
  void OnPhase(Phase) override {}
  void OnMark(Mark mark) override { marks.push_back(mark); }
  void OnStep(const StepRecord& record) override {
    steps.push_back(record);
    on_step(record);
  }
  void OnEpochEnd(int64_t epoch) override { ended_epochs.push_back(epoch); }
  void OnEvaluation(const EvaluationRecord& record) override { evaluations.push_back(record); }
  void OnInput(const data::PipelineTotals& totals) override { input = totals; }
  void OnData(const report::DataFacts& facts) override { data = facts; }
  void OnCache(const CacheRecord& record) override { cache.push_back(record); }
  void OnModel(const report::ModelFacts& facts) override { model = facts; }
  void OnPlan(const TrainPlan& told) override { plan = told; }
  void OnChecks(const report::Checks& told) override { checks = told; }

  std::vector<double> Losses() const {
    std::vector<double> losses;
    for (const StepRecord& step : steps) losses.push_back(step.loss);
    return losses;
  }
  int64_t Samples() const {
    int64_t samples = 0;
    for (const StepRecord& step : steps) samples += step.samples;
    return samples;
  }

  std::function<void(const StepRecord&)> on_step = [](const StepRecord&) {};
  std::vector<Mark> marks;
  std::vector<StepRecord> steps;
  std::vector<int64_t> ended_epochs;
  std::vector<EvaluationRecord> evaluations;
  data::PipelineTotals input;
  report::DataFacts data;
  std::vector<CacheRecord> cache;
  report::ModelFacts model;
  TrainPlan plan;
  report::Checks checks;
};

api::RunConfig Config(const api::StopSpec& stop) {
  api::RunConfig config;
  config.seed = 11;
  config.device = api::Device::kCpu;
  config.software.model = api::Model::kResNet20V1;
  config.software.input.threads = 2;
  config.problem.dataset.format = api::DatasetFormat::kImageFolder;
  config.problem.dataset.image_size = kEdge;
  config.problem.batch_size = 8;
  config.problem.optimizer.learning_rate = {"0.05"};
  config.problem.stop = stop;
  return config;
}
api::StopSpec Steps(int64_t steps) { return {.steps = steps, .epochs = {}, .accuracy = {}}; }
api::StopSpec Epochs(int64_t epochs) { return {.steps = {}, .epochs = epochs, .accuracy = {}}; }
api::StopSpec Top1(const char* target, int64_t max_epochs) {
  return {.steps = {},
          .epochs = {},
          .accuracy = api::AccuracyStop{.metric = api::AccuracyMetric::kTop1,
                                        .target = {target},
                                        .every_epochs = 1,
                                        .max_epochs = max_epochs}};
}

Splits TrainOnly(ColouredImages train) {
  return {.train = std::make_unique<ColouredImages>(std::move(train)), .validation = nullptr};
}
Splits Both(ColouredImages train, ColouredImages validation) {
  return {.train = std::make_unique<ColouredImages>(std::move(train)),
          .validation = std::make_unique<ColouredImages>(std::move(validation))};
}

struct Ended {
  base::Status status;
  TrainOutcome outcome;
};

Ended TrainOn(const Splits& splits, const api::RunConfig& config, Observer& observer,
              std::stop_token stop = {}) {
  Ended ended;
  ended.status =
      RunTrainingOn(splits, config, /*compute_threads=*/2, observer, stop, ended.outcome);
  return ended;
}

TEST(RunTraining, LearnsSoThatTheLossFallsAndTheAccuracyIsReached) {
  Memory memory;
  const Splits splits = Both(ColouredImages(48), ColouredImages(21));
  const Ended ended = TrainOn(splits, Config(Top1("0.9", 20)), memory);
  ASSERT_TRUE(ended.status) << ended.status.error().message;
  EXPECT_EQ(ended.outcome.target_reached, true);
  EXPECT_LT(memory.steps.back().loss, memory.steps.front().loss / 2);
  EXPECT_GE(memory.evaluations.back().top1, 0.9);
  EXPECT_EQ(memory.evaluations.back().samples, 21);
  EXPECT_EQ(memory.marks.back(), Mark::kTargetReached);
}

TEST(RunTraining, SaysThatTheTargetWasNotReachedInTheMostEpochs) {
  Memory memory;
  api::RunConfig config = Config(Top1("1.1", 2));
  const Ended ended = TrainOn(Both(ColouredImages(9), ColouredImages(3)), config, memory);
  ASSERT_TRUE(ended.status);
  EXPECT_EQ(ended.outcome.target_reached, false);
  EXPECT_EQ(memory.evaluations.size(), 2U);
}

TEST(RunTraining, TrainsTheStepsAskedForAcrossEpochs) {
  Memory memory;
  const Ended ended = TrainOn(TrainOnly(ColouredImages(20)), Config(Steps(5)), memory);
  ASSERT_TRUE(ended.status);
  EXPECT_EQ(memory.steps.size(), 5U);
  EXPECT_EQ(memory.Samples(), 20 + 16);  // 8 + 8 + 4, 8 + 8
  EXPECT_EQ(ended.outcome.progress.samples, 36);
  EXPECT_EQ(memory.ended_epochs, std::vector<int64_t>{0});
  EXPECT_EQ(memory.plan.total_steps, 5);
  EXPECT_EQ(memory.checks.samples_as_stop_rule, true);
  EXPECT_EQ(memory.checks.every_sample_once, true);
  EXPECT_TRUE(memory.evaluations.empty());
  EXPECT_THAT(memory.marks, testing::ElementsAre(Mark::kDataIndexed, Mark::kModelReady,
                                                 Mark::kFirstBatch, Mark::kFirstStep));
}

TEST(RunTraining, EvaluatesOnceAfterTheLastEpochAndMarksThePause) {
  Memory memory;
  const Splits splits = Both(ColouredImages(16), ColouredImages(10));
  ASSERT_TRUE(TrainOn(splits, Config(Epochs(2)), memory).status);
  EXPECT_EQ(memory.Samples(), 32);
  ASSERT_EQ(memory.evaluations.size(), 1U);
  EXPECT_EQ(memory.evaluations[0].epoch, 1);
  EXPECT_EQ(memory.evaluations[0].samples, 10);
  EXPECT_EQ(memory.evaluations[0].top5, 1.0);  // of three classes
  EXPECT_EQ(memory.data.validation_samples, 10);
}

TEST(RunTraining, MarksTheFirstStepAndTheStepsAfterEvaluations) {
  Memory memory;
  const Splits splits = Both(ColouredImages(16), ColouredImages(3));
  ASSERT_TRUE(TrainOn(splits, Config(Top1("1.1", 2)), memory).status);
  std::vector<bool> after_pause;
  for (const StepRecord& step : memory.steps) after_pause.push_back(step.after_pause);
  EXPECT_EQ(after_pause, (std::vector<bool>{true, false, true, false}));
}

TEST(RunTraining, PartitionsTheWallTimeOfEveryStepIntoItsStages) {
  Memory memory;
  ASSERT_TRUE(TrainOn(TrainOnly(ColouredImages(64)), Config(Steps(12)), memory).status);
  double wall = 0, stages = 0;
  for (const StepRecord& step : memory.steps) {
    wall += step.wall_seconds;
    stages += step.wait_seconds + step.copy_seconds + step.forward_seconds + step.backward_seconds +
              step.update_seconds;
    EXPECT_GT(step.forward_seconds, 0);
    EXPECT_GT(step.backward_seconds, 0);
    EXPECT_GT(step.update_seconds, 0);
  }
  EXPECT_LE(stages, wall);
  EXPECT_GT(stages, 0.98 * wall);
}

TEST(RunTraining, LosesTheSameFromOneSeedWhateverTheInputThreads) {
  const Splits splits = TrainOnly(ColouredImages(40));
  Memory one, many;
  api::RunConfig config = Config(Steps(6));
  config.software.input.threads = 1;
  ASSERT_TRUE(TrainOn(splits, config, one).status);
  config.software.input.threads = 4;
  ASSERT_TRUE(TrainOn(splits, config, many).status);
  EXPECT_EQ(one.Losses(), many.Losses());
}

TEST(RunTraining, LosesDifferentlyFromAnotherSeed) {
  const Splits splits = TrainOnly(ColouredImages(40));
  Memory one, other;
  api::RunConfig config = Config(Steps(2));
  ASSERT_TRUE(TrainOn(splits, config, one).status);
  config.seed += 1;
  ASSERT_TRUE(TrainOn(splits, config, other).status);
  EXPECT_NE(one.Losses(), other.Losses());
}

TEST(RunTraining, LosesAboutTheSameInChannelsLast) {
  const Splits splits = TrainOnly(ColouredImages(40));
  Memory first, last;
  api::RunConfig config = Config(Steps(1));
  ASSERT_TRUE(TrainOn(splits, config, first).status);
  config.software.memory_format = api::MemoryFormat::kChannelsLast;
  ASSERT_TRUE(TrainOn(splits, config, last).status);
  // The noise is another, the colours are the same.
  EXPECT_NEAR(first.Losses()[0], last.Losses()[0], 0.3);
}

TEST(RunTraining, StopsInsideAStepAndKeepsTheWholeOnes) {
  std::stop_source stop;
  Memory memory;
  memory.on_step = [&](const StepRecord& record) {
    if (record.step == 2) stop.request_stop();
  };
  const Ended ended =
      TrainOn(TrainOnly(ColouredImages(64)), Config(Steps(1'000'000)), memory, stop.get_token());
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(memory.steps.size(), 3U);
  EXPECT_EQ(ended.outcome.progress.steps, 3);
  EXPECT_EQ(ended.outcome.checks.samples_as_stop_rule, std::nullopt);
}

TEST(RunTraining, FailsAtTheStepWhoseLossIsNotFinite) {
  Memory memory;
  api::RunConfig config = Config(Steps(50));
  config.problem.optimizer.learning_rate = {"1e30"};
  const Ended ended = TrainOn(TrainOnly(ColouredImages(16)), config, memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kDiverged);
  EXPECT_THAT(ended.status.error().message,
              testing::MatchesRegex("the loss is not finite at step [0-9]+ \\(learning rate .*"));
}

TEST(RunTraining, SkipsAllowedBadFilesAndNamesThem) {
  Memory memory;
  api::RunConfig config = Config(Epochs(2));
  config.problem.dataset.max_bad_files = 1;
  const Ended ended = TrainOn(TrainOnly(ColouredImages(17, {"a", "b"}, /*bad=*/5)), config, memory);
  ASSERT_TRUE(ended.status) << ended.status.error().message;
  EXPECT_EQ(memory.Samples(), 32);
  EXPECT_EQ(memory.checks.every_sample_once, true);
  EXPECT_EQ(memory.checks.samples_as_stop_rule, true);
  ASSERT_EQ(memory.data.bad_files.size(), 1U);
  EXPECT_EQ(memory.data.bad_files[0].path, "5.jpg");
  EXPECT_EQ(memory.data.bad_files[0].reason, "truncated JPEG");
}

TEST(RunTraining, NamesTheBadFileThatEndsIt) {
  Memory memory;
  const Ended ended =
      TrainOn(TrainOnly(ColouredImages(17, {"a", "b"}, /*bad=*/5)), Config(Epochs(2)), memory);
  ASSERT_FALSE(ended.status);
  EXPECT_THAT(ended.status.error().message, testing::HasSubstr("5.jpg"));
  EXPECT_EQ(memory.data.bad_file_count, 1);
  EXPECT_EQ(memory.data.unreadable_file_count, 0);
  EXPECT_EQ(memory.input.bad_files, 1);
}

TEST(RunTraining, ScoresAValidationSplitWithFewerClassesByTheirNames) {
  Memory memory;
  const Splits splits = Both(ColouredImages(48), ColouredImages(10, {"c"}));
  const Ended ended = TrainOn(splits, Config(Top1("0.9", 20)), memory);
  ASSERT_TRUE(ended.status);
  EXPECT_EQ(ended.outcome.target_reached, true);
}

TEST(RunTraining, RefusesAValidationClassThatTrainingDoesNotHave) {
  Memory memory;
  const Splits splits = Both(ColouredImages(9), ColouredImages(4, {"a", "d"}));
  const Ended ended = TrainOn(splits, Config(Epochs(1)), memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kInvalidInput);
  EXPECT_THAT(ended.status.error().message, testing::HasSubstr("the class d"));
}

TEST(RunTraining, RefusesAnAccuracyTargetWithoutAValidationSplit) {
  Memory memory;
  const Ended ended = TrainOn(TrainOnly(ColouredImages(9)), Config(Top1("0.9", 1)), memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kInvalidInput);
}

TEST(RunTraining, TrainsOnSyntheticDataWithoutInput) {
  Memory memory;
  api::RunConfig config = Config(Epochs(2));
  config.problem.dataset.format = api::DatasetFormat::kSynthetic;
  config.problem.dataset.synthetic = {.samples = 20, .validation_samples = 10, .classes = 4};
  const Ended ended = TrainOn(Splits{}, config, memory);
  ASSERT_TRUE(ended.status) << ended.status.error().message;
  EXPECT_EQ(memory.Samples(), 40);
  EXPECT_EQ(memory.evaluations.at(0).samples, 10);
  EXPECT_EQ(memory.model.classes, 4);
  EXPECT_EQ(memory.checks.samples_as_stop_rule, true);
  EXPECT_EQ(memory.checks.every_sample_once, std::nullopt);
}

TEST(RunTraining, RefusesADeviceThatThisBuildDoesNotHave) {
  Memory memory;
  api::RunConfig config = Config(Steps(1));
  config.device = api::Device::kEmulated;
  const Ended ended = TrainOn(TrainOnly(ColouredImages(9)), config, memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kUnavailable);
}

TEST(RunTraining, RefusesImagesThatAreTooSmallForTheNetwork) {
  Memory memory;
  api::RunConfig config = Config(Steps(1));
  config.software.model = api::Model::kResNet50;
  const Ended ended = TrainOn(TrainOnly(ColouredImages(9)), config, memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().message,
            "resnet50 needs images of at least 32 pixels, and imageSize is 16");
}

// A data thread that dies is not a bad file: nothing would ever finish its batch.
class FailingImages : public ColouredImages {
 public:
  explicit FailingImages(std::function<void()> fail) : ColouredImages(64), fail_(std::move(fail)) {}
  base::Result<data::SampleResult> Load(const data::SampleRequest& request, std::span<float> pixels,
                                        data::Scratch& scratch) const override {
    if (request.index == 40) fail_();
    return ColouredImages::Load(request, pixels, scratch);
  }

 private:
  std::function<void()> fail_;
};

Ended TrainWithFailingThread(Observer& observer, std::function<void()> fail) {
  const Splits splits{.train = std::make_unique<FailingImages>(std::move(fail)),
                      .validation = nullptr};
  api::RunConfig config = Config(Epochs(1));
  config.problem.dataset.max_bad_files = 10;
  return TrainOn(splits, config, observer);
}

TEST(RunTraining, EndsWhenAnInputThreadRunsOutOfMemory) {
  Memory memory;
  const Ended ended = TrainWithFailingThread(memory, [] { throw std::bad_alloc(); });
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kOutOfMemory);
}

TEST(RunTraining, EndsWhenAnInputThreadDies) {
  Memory memory;
  const Ended ended =
      TrainWithFailingThread(memory, [] { throw std::runtime_error("no such thing"); });
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kInternal);
  EXPECT_EQ(ended.status.error().message, "an input thread failed: no such thing");
}

// As libtorch says it of a GPU, in the middle of training.
TEST(RunTraining, EndsWhenTheDeviceIsFullAndKeepsWhatWasDone) {
  Memory memory;
  memory.on_step = [](const StepRecord& record) {
    if (record.step < 1) return;
    const c10::SourceLocation here{"here", __FILE__, uint32_t{__LINE__}};
    throw c10::OutOfMemoryError(here, "CUDA out of memory. Tried to allocate 2.00 GiB.");
  };
  const Ended ended = TrainOn(TrainOnly(ColouredImages(64)), Config(Epochs(1)), memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kOutOfMemory);
  EXPECT_THAT(ended.status.error().message, testing::HasSubstr("Tried to allocate 2.00 GiB"));
  EXPECT_EQ(ended.outcome.progress.steps, 2);
}

// While it lives, this process cannot have more than so much.
class LittleMemory {
 public:
  explicit LittleMemory(rlim_t bytes) {
    getrlimit(RLIMIT_DATA, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_DATA, &limit);
  }
  ~LittleMemory() { setrlimit(RLIMIT_DATA, &before_); }

 private:
  rlimit before_{};
};

TEST(RunTraining, SaysThatTheHostHasNotEnoughMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer's allocator ends the process instead";
#endif
  Memory memory;
  api::RunConfig config = Config(Steps(1));
  config.problem.dataset.format = api::DatasetFormat::kSynthetic;
  config.problem.dataset.image_size = 512;
  config.problem.batch_size = 16'384;  // 52 GB of pixels
  config.problem.dataset.synthetic = {.samples = 16'384, .validation_samples = 0, .classes = 10};
  const LittleMemory little(rlim_t{8} << 30);
  const Ended ended = TrainOn(Splits{}, config, memory);
  ASSERT_FALSE(ended.status);
  EXPECT_EQ(ended.status.error().kind, ErrorKind::kOutOfMemory);
  EXPECT_THAT(ended.status.error().message, testing::HasSubstr("smaller batchSize"));
}

// Pairs of a smooth image and the same with noise.
class NoisyPairs : public data::Dataset {
 public:
  explicit NoisyPairs(int64_t size) : size_(size) {}
  data::SampleKind kind() const override { return data::SampleKind::kImagePair; }
  int64_t size() const override { return size_; }
  int64_t image_size() const override { return kEdge; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return size_; }
  std::string identity() const override { return "identity"; }
  std::string SampleName(int64_t index) const override { return std::to_string(index) + ".png"; }

  base::Result<data::SampleResult> Load(const data::SampleRequest& request, std::span<float> pixels,
                                        data::Scratch&) const override {
    constexpr size_t kPlane = kEdge * kEdge;
    base::Random random(static_cast<uint64_t>(request.index) + 1000 * request.random);
    for (size_t i = 0; i < kPlane; ++i) {
      const auto x = static_cast<float>(i % kEdge), phase = static_cast<float>(request.index);
      pixels[kPlane + i] = 0.5F + 0.4F * std::sin(0.3F * x + phase);
      const auto noise = static_cast<float>(random.Between(-100, 100)) / 400.0F;
      pixels[i] = pixels[kPlane + i] + noise;
    }
    return data::SampleResult{};
  }

 private:
  int64_t size_;
  std::vector<std::string> classes_;
};

api::RunConfig DenoisingConfig(const api::StopSpec& stop) {
  api::RunConfig config = Config(stop);
  config.software.model = api::Model::kCare2d;
  config.problem.dataset.format = api::DatasetFormat::kCarePairs;
  config.problem.optimizer.name = api::OptimizerName::kAdam;
  config.problem.optimizer.learning_rate = {"0.002"};
  return config;
}

TEST(RunTraining, DenoisesAndStopsAtThePsnrAskedFor) {
  Memory memory;
  const Splits splits{.train = std::make_unique<NoisyPairs>(64),
                      .validation = std::make_unique<NoisyPairs>(8)};
  api::StopSpec stop = Top1("20", 30);
  stop.accuracy->metric = api::AccuracyMetric::kPsnr;
  const Ended ended = TrainOn(splits, DenoisingConfig(stop), memory);
  ASSERT_TRUE(ended.status) << ended.status.error().message;
  EXPECT_EQ(ended.outcome.target_reached, true);
  const EvaluationRecord& last = memory.evaluations.back();
  // Uniform noise within 1/4 has a variance of 1/48.
  EXPECT_NEAR(*last.input_psnr_decibels, 10 * std::log10(48), 0.3);
  EXPECT_GE(last.psnr_decibels, 20.0);
  EXPECT_EQ(last.top1, std::nullopt);
  EXPECT_EQ(memory.model.published_parameters, 83'377);
}

TEST(RunTraining, RefusesDataThatTheNetworkCannotLearnFrom) {
  Memory memory;
  api::RunConfig config = Config(Steps(1));
  config.software.model = api::Model::kCare2d;
  EXPECT_EQ(TrainOn(TrainOnly(ColouredImages(9)), config, memory).status.error().message,
            "care2d denoises images, and the data set's format is imageFolder; it needs carePairs "
            "or synthetic");
}

TEST(RunTraining, TrainsInHalfPrecisionOnTheCpu) {
  for (const api::Precision precision : {api::Precision::kBf16, api::Precision::kFp16}) {
    Memory memory;
    api::RunConfig config = Config(Top1("0.9", 20));
    config.software.precision = precision;
    const Ended ended = TrainOn(Both(ColouredImages(48), ColouredImages(21)), config, memory);
    ASSERT_TRUE(ended.status) << ended.status.error().message;
    EXPECT_EQ(ended.outcome.target_reached, true);
  }
}

TEST(RunTraining, RefusesCudaGraphsWithoutAGpu) {
  Memory memory;
  api::RunConfig config = Config(Steps(1));
  config.software.cuda_graphs = true;
  EXPECT_EQ(TrainOn(TrainOnly(ColouredImages(9)), config, memory).status.error().message,
            "CUDA graphs need a GPU");
}

// A network that answers class 1 with certainty, so that the right figures are known.
class AlwaysOne : public model::Network {
 public:
  model::Prediction Forward(torch::Tensor images) override {
    const torch::Tensor logits = torch::zeros({images.size(0), 10});
    logits.select(1, 1) += 3.0;
    return {.output = logits, .auxiliary = {}};
  }
};

TEST(Evaluate, AveragesOverEverySampleOfThePartialBatchToo) {
  const ColouredImages images(14, {"a", "b", "c"});  // labels 0 1 2 0 1 ...: five of them are 1
  PipelineSourceOptions options;
  options.pipeline.batch_size = 4;
  options.pipeline.epochs = 1;
  const auto batches = MakePipelineSource(images, options);
  AlwaysOne network;
  const auto record = Evaluate(network, *batches, {}, base::SystemClock(), {});
  ASSERT_TRUE(record);
  EXPECT_EQ(record->samples, 14);
  EXPECT_NEAR(*record->top1, 5.0 / 14, 1e-12);
  const double normaliser = std::log(std::exp(3.0) + 9);
  EXPECT_NEAR(*record->loss, normaliser - 3.0 * 5 / 14, 1e-6);
  EXPECT_TRUE(network.is_training());
}

}  // namespace
}  // namespace fairlap::train

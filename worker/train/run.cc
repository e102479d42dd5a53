#include "worker/train/run.h"

#include <torch/torch.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "worker/measure/process.h"
#include "worker/model/network.h"
#include "worker/model/registry.h"
#include "worker/train/batch_source.h"
#include "worker/train/cache_control.h"
#include "worker/train/loop.h"
#include "worker/train/settings.h"
#include "worker/train/staging.h"
#include "worker/train/working_set.h"

namespace fairlap::train {
namespace {

using base::ErrorKind;
using base::MakeError;

class Run {
 public:
  Run(const Splits& splits, const api::RunConfig& config, const models::NetworkFacts& network,
      step::StepOptions step, Observer& observer, TrainOutcome& outcome)
      : splits_(splits),
        config_(config),
        facts_(network),
        step_(std::move(step)),
        observer_(observer),
        outcome_(outcome),
        cache_(config.cache == api::Cache::kAsIs
                   ? WorkingSet()
                   : FindWorkingSet(splits, config, BatchSize(config.problem)),
               {.cache = config.cache, .seed = static_cast<uint64_t>(config.seed)}, observer) {}

  base::Status Execute(std::stop_token stop) {
    TellData();
    if (splits_.validation) {
      auto labels = MatchClasses(splits_);
      if (!labels) return tl::unexpected(labels.error());
      validation_labels_ = std::move(*labels);
    }
    if (config_.problem.stop.accuracy && outcome_.data.validation_samples == 0) {
      return MakeError(ErrorKind::kInvalidInput,
                       "accuracy cannot be reached without a validation split");
    }
    if (auto prepared = cache_.Prepare(stop); !prepared) return prepared;
    observer_.OnPhase(Phase::kStarting);
    // The one place where libtorch's generators are seeded.
    torch::manual_seed(static_cast<uint64_t>(config_.seed));
    const std::shared_ptr<model::Network> network = BuildNetwork();
    const std::unique_ptr<BatchSource> batches = TrainingBatches();
    observer_.OnMark(Mark::kModelReady);
    return Train(MakeTask(*network, *batches), observer_, std::move(stop), outcome_);
  }

 private:
  void TellData() {
    outcome_.data = DescribeData(config_, splits_);
    observer_.OnData(outcome_.data);
    observer_.OnMark(Mark::kDataIndexed);
  }

  std::shared_ptr<model::Network> BuildNetwork() {
    std::shared_ptr<model::Network> network = model::MakeNetwork(facts_.name, Classes());
    step::PlaceNetwork(*network, step_.device, FormatOf(config_));
    report::ModelFacts& facts = outcome_.model;
    facts.name = facts_.name;
    for (const torch::Tensor& parameter : network->parameters()) {
      facts.parameters += parameter.numel();
    }
    facts.classes = Classes();
    // Another number of classes has another last layer, of which nothing was published.
    if (facts.classes == facts_.classes) facts.published_parameters = facts_.parameters;
    facts.image_size = EdgeOfImages();
    observer_.OnModel(facts);
    return network;
  }

  std::unique_ptr<BatchSource> TrainingBatches() {
    const int64_t epochs = MostEpochs(config_.problem.stop);
    if (!splits_.train) return SyntheticBatches(outcome_.data.train_samples, epochs);
    PipelineSourceOptions options = PipelineDefaults();
    options.pipeline.shuffle = true;
    options.pipeline.augment = true;
    options.pipeline.epochs = epochs;
    cache_.BeginPass();
    return MakePipelineSource(*splits_.train, options);
  }

  std::unique_ptr<BatchSource> ValidationBatches() {
    if (!splits_.validation) return SyntheticBatches(outcome_.data.validation_samples, 1);
    PipelineSourceOptions options = PipelineDefaults();
    options.pipeline.shuffle = false;
    options.pipeline.augment = false;
    options.pipeline.epochs = 1;
    options.labels = validation_labels_;
    cache_.BeginPass();
    return MakePipelineSource(*splits_.validation, options);
  }

  PipelineSourceOptions PipelineDefaults() const {
    PipelineSourceOptions options;
    options.device = step_.device;
    options.pipeline.batch_size = BatchSize(config_.problem);
    options.pipeline.threads = config_.software.input.threads;
    options.pipeline.prefetch_batches = config_.software.input.prefetch_batches;
    options.pipeline.order = FormatOf(config_) == torch::MemoryFormat::ChannelsLast
                                 ? data::PixelOrder::kChannelsLast
                                 : data::PixelOrder::kChannelsFirst;
    options.pipeline.seed = static_cast<uint64_t>(config_.seed);
    options.pipeline.read_mode = config_.software.input.reader == api::Reader::kDirect
                                     ? storage::ReadMode::kDirect
                                     : storage::ReadMode::kBuffered;
    options.pipeline.max_bad_files = config_.problem.dataset.max_bad_files;
    options.pipeline.fetched_bytes = measure::FetchedByThread;
    return options;
  }

  std::unique_ptr<BatchSource> SyntheticBatches(int64_t samples, int64_t epochs) const {
    return MakeSyntheticSource({.samples = samples,
                                .batch_size = BatchSize(config_.problem),
                                .task = facts_.task,
                                .image_size = EdgeOfImages(),
                                .classes = Classes(),
                                .epochs = epochs,
                                .device = step_.device,
                                .memory_format = FormatOf(config_)});
  }

  Task MakeTask(model::Network& network, BatchSource& batches) {
    Task task{.network = network, .batches = batches};
    if (outcome_.data.validation_samples > 0) {
      task.validation = [this] { return ValidationBatches(); };
    }
    task.on_first_pass = [this](const BatchSource& source) {
      cache_.EndPass(source.ReadInFirstPass());
    };
    task.step = step_;
    task.stop = config_.problem.stop;
    task.samples = outcome_.data.train_samples;
    task.batch_size = BatchSize(config_.problem);
    task.schedule =
        MakeSchedule(config_.problem.optimizer, MakePlan(task.stop, task.samples, task.batch_size));
    task.identified_samples = splits_.train != nullptr;
    return task;
  }

  int64_t Classes() const {
    if (facts_.task == models::Task::kDenoising) return 0;
    return splits_.train ? std::ssize(splits_.train->classes()) : SyntheticSizes(config_).classes;
  }
  int64_t EdgeOfImages() const {
    return splits_.train ? splits_.train->image_size() : ImageSize(config_, facts_);
  }

  const Splits& splits_;
  const api::RunConfig& config_;
  const models::NetworkFacts facts_;
  const step::StepOptions step_;
  Observer& observer_;
  TrainOutcome& outcome_;
  CacheControl cache_;
  std::vector<int64_t> validation_labels_;
};

// libtorch has a class for a GPU that is full, and only words for a host that is.
bool IsOutOfMemory(const c10::Error& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  const std::string text = error.what_without_backtrace();
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos;
}

tl::unexpected<base::Error> OutOfMemory(const std::string& what) {
  return MakeError(ErrorKind::kOutOfMemory, "out of memory (" + what +
                                                "): try a smaller batchSize or imageSize, or more "
                                                "compute.resources.memory");
}

tl::unexpected<base::Error> Translate(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (IsOutOfMemory(error)) return OutOfMemory(text.substr(0, text.find('\n')));
  return MakeError(ErrorKind::kInternal, "libtorch: " + text);
}

}  // namespace

base::Status RunTraining(const api::RunConfig& config, const Surroundings& surroundings,
                         Observer& observer, std::stop_token stop, TrainOutcome& outcome) {
  const auto network = ChooseNetwork(config);
  if (!network) return tl::unexpected(network.error());
  try {
    const auto root = StageData(config, surroundings.data, surroundings.scratch, observer, stop);
    if (!root) return tl::unexpected(root.error());
    observer.OnPhase(Phase::kIndexing);
    const auto splits = OpenSplits(config, *root, ImageSize(config, *network), stop);
    if (!splits) return tl::unexpected(splits.error());
    return RunTrainingOn(*splits, config, surroundings.compute_threads, observer, std::move(stop),
                         outcome);
  } catch (const std::bad_alloc&) {
    return OutOfMemory("on the host, while copying or indexing the data set");
  }
}

base::Status RunTrainingOn(const Splits& splits, const api::RunConfig& config,
                           int64_t compute_threads, Observer& observer, std::stop_token stop,
                           TrainOutcome& outcome) {
  const auto network = ChooseNetwork(config);
  if (!network) return tl::unexpected(network.error());
  try {
    const auto device = ChooseDevice(config.device);
    if (!device) return tl::unexpected(device.error());
    const auto step = MakeStepOptions(config, *network, *device);
    if (!step) return tl::unexpected(step.error());
    step::SetNumerics(step->precision, compute_threads);
    return Run(splits, config, *network, *step, observer, outcome).Execute(std::move(stop));
  } catch (const c10::Error& error) {
    return Translate(error);
  } catch (const std::bad_alloc&) {
    return OutOfMemory("on the host");
  } catch (const std::exception& error) {
    return MakeError(ErrorKind::kInternal, error.what());
  }
}

}  // namespace fairlap::train

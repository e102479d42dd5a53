#include "worker/train/run.h"

#include <torch/torch.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/sha256.h"
#include "worker/model/network.h"
#include "worker/model/registry.h"
#include "worker/train/batch_source.h"
#include "worker/train/loop.h"

namespace fairlap::train {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr size_t kListedClasses = 1000;

// ---------------------------------------------------------------- what the config means

bool IsSynthetic(const api::RunConfig& config) {
  return config.problem.dataset.format == api::DatasetFormat::kSynthetic;
}

// On one device the two ways to say it are the same.
int64_t BatchSize(const api::ProblemSpec& problem) {
  return problem.batch_size ? *problem.batch_size : problem.global_batch_size.value_or(1);
}

int64_t ImageSize(const api::RunConfig& config, const model::NetworkEntry& entry) {
  return config.problem.dataset.image_size.value_or(entry.image_size);
}

api::SyntheticSpec SyntheticSizes(const api::RunConfig& config) {
  return config.problem.dataset.synthetic.value_or(api::SyntheticSpec{});
}

base::Result<model::NetworkEntry> ChooseNetwork(const api::RunConfig& config) {
  const std::string name(base::EnumName(config.software.model));
  const model::NetworkEntry* entry = model::FindNetwork(config.software.model);
  if (entry == nullptr) {
    return MakeError(ErrorKind::kUnavailable, name + " is not available in this version");
  }
  const int64_t image_size = ImageSize(config, *entry);
  if (image_size < entry->smallest_image_size) {
    return MakeError(ErrorKind::kInvalidInput, name + " needs images of at least " +
                                                   std::to_string(entry->smallest_image_size) +
                                                   " pixels, and imageSize is " +
                                                   std::to_string(image_size));
  }
  return *entry;
}

base::Result<torch::Device> ChooseDevice(api::Device device) {
  if (device == api::Device::kCpu) return torch::Device(torch::kCPU);
#if FAIRLAP_CUDA
  if (device == api::Device::kGpu) {
    if (torch::cuda::is_available()) return torch::Device(torch::kCUDA, 0);
    return MakeError(ErrorKind::kUnavailable, "no GPU is visible to this process");
  }
#endif
  return MakeError(ErrorKind::kUnavailable, "this worker was not built for the device " +
                                                std::string(base::EnumName(device)));
}

// Global switches of the framework. fp32 means fp32: cuDNN's own default is TF32.
void SetNumerics(api::Precision precision, int64_t compute_threads) {
  at::set_num_threads(static_cast<int>(compute_threads));
  const bool tf32 = precision == api::Precision::kTf32;
  at::globalContext().setAllowTF32CuBLAS(tf32);
  at::globalContext().setAllowTF32CuDNN(tf32);
  at::globalContext().setBenchmarkCuDNN(true);  // shapes do not change from step to step
}

// ---------------------------------------------------------------- data

base::Result<std::unique_ptr<data::Dataset>> OpenSplit(const api::RunConfig& config,
                                                       const std::filesystem::path& root,
                                                       data::Split split, int64_t image_size,
                                                       const std::stop_token& stop) {
  return data::OpenDataset(
      {.spec = config.problem.dataset, .root = root, .split = split, .image_size = image_size},
      stop);
}

// A rule on epochs is content without a validation split, one on accuracy is not, and one on steps
// never looks at it.
base::Result<Splits> OpenSplits(const api::RunConfig& config, const std::filesystem::path& root,
                                int64_t image_size, const std::stop_token& stop) {
  Splits splits;
  if (IsSynthetic(config)) return splits;
  auto train = OpenSplit(config, root, data::Split::kTrain, image_size, stop);
  if (!train) return tl::unexpected(train.error());
  splits.train = std::move(*train);
  if (config.problem.stop.steps) return splits;
  auto validation = OpenSplit(config, root, data::Split::kValidation, image_size, stop);
  if (validation) {
    splits.validation = std::move(*validation);
  } else if (config.problem.stop.accuracy || validation.error().kind != ErrorKind::kNotFound) {
    return tl::unexpected(validation.error());
  }
  return splits;
}

std::string Identity(const Splits& splits) {
  if (!splits.validation) return splits.train->identity();
  base::Sha256 hash;
  hash.Add(splits.train->identity());
  hash.Add(splits.validation->identity());
  return hash.HexDigest();
}

report::DataFacts DescribeData(const api::RunConfig& config, const Splits& splits) {
  report::DataFacts facts;
  facts.format = base::EnumName(config.problem.dataset.format);
  if (IsSynthetic(config)) {
    facts.train_samples = SyntheticSizes(config).samples;
    facts.validation_samples = SyntheticSizes(config).validation_samples;
    return facts;
  }
  facts.train_samples = splits.train->size();
  facts.bytes = splits.train->bytes();
  if (splits.validation) {
    facts.validation_samples = splits.validation->size();
    facts.bytes += splits.validation->bytes();
  }
  facts.classes = splits.train->classes();
  if (facts.classes.size() > kListedClasses) facts.classes.resize(kListedClasses);
  facts.identity = Identity(splits);
  return facts;
}

// The training split's label for each label of the validation split.
base::Result<std::vector<int64_t>> MatchClasses(const Splits& splits) {
  std::vector<int64_t> labels;
  const std::vector<std::string>& known = splits.train->classes();
  for (const std::string& name : splits.validation->classes()) {
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) {
      return MakeError(ErrorKind::kInvalidInput, "the validation split has the class " + name +
                                                     ", which the training split does not have");
    }
    labels.push_back(at - known.begin());
  }
  return labels;
}

// ---------------------------------------------------------------- the run

class Run {
 public:
  Run(const Splits& splits, const api::RunConfig& config, const model::NetworkEntry& entry,
      torch::Device device, Observer& observer, TrainOutcome& outcome)
      : splits_(splits),
        config_(config),
        entry_(entry),
        device_(device),
        observer_(observer),
        outcome_(outcome) {}

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
    std::shared_ptr<model::Network> network = entry_.make(Classes());
    network->to(device_);
    for (torch::Tensor& parameter : network->parameters()) {
      if (parameter.dim() == 4) parameter.set_data(parameter.data().contiguous(Format()));
    }
    report::ModelFacts& facts = outcome_.model;
    facts.name = base::EnumName(entry_.model);
    for (const torch::Tensor& parameter : network->parameters()) {
      facts.parameters += parameter.numel();
    }
    facts.classes = Classes();
    // Another number of classes has another last layer, of which nothing was published.
    if (facts.classes == entry_.published_classes) {
      facts.published_parameters = entry_.published_parameters;
    }
    facts.image_size = EdgeOfImages();
    observer_.OnModel(facts);
    return network;
  }

  std::unique_ptr<BatchSource> TrainingBatches() const {
    const int64_t epochs = MostEpochs(config_.problem.stop);
    if (!splits_.train) return SyntheticBatches(outcome_.data.train_samples, epochs);
    PipelineSourceOptions options = PipelineDefaults();
    options.pipeline.shuffle = true;
    options.pipeline.augment = true;
    options.pipeline.epochs = epochs;
    return MakePipelineSource(*splits_.train, options);
  }

  std::unique_ptr<BatchSource> ValidationBatches() const {
    if (!splits_.validation) return SyntheticBatches(outcome_.data.validation_samples, 1);
    PipelineSourceOptions options = PipelineDefaults();
    options.pipeline.shuffle = false;
    options.pipeline.augment = false;
    options.pipeline.epochs = 1;
    options.labels = validation_labels_;
    return MakePipelineSource(*splits_.validation, options);
  }

  PipelineSourceOptions PipelineDefaults() const {
    PipelineSourceOptions options;
    options.device = device_;
    options.pipeline.batch_size = BatchSize(config_.problem);
    options.pipeline.threads = config_.software.input.threads;
    options.pipeline.prefetch_batches = config_.software.input.prefetch_batches;
    options.pipeline.order = Format() == torch::MemoryFormat::ChannelsLast
                                 ? data::PixelOrder::kChannelsLast
                                 : data::PixelOrder::kChannelsFirst;
    options.pipeline.seed = static_cast<uint64_t>(config_.seed);
    options.pipeline.max_bad_files = config_.problem.dataset.max_bad_files;
    return options;
  }

  std::unique_ptr<BatchSource> SyntheticBatches(int64_t samples, int64_t epochs) const {
    return MakeSyntheticSource({.samples = samples,
                                .batch_size = BatchSize(config_.problem),
                                .image_size = EdgeOfImages(),
                                .classes = Classes(),
                                .epochs = epochs,
                                .device = device_,
                                .memory_format = Format()});
  }

  Task MakeTask(model::Network& network, BatchSource& batches) const {
    Task task{.network = network, .batches = batches};
    if (outcome_.data.validation_samples > 0) {
      task.validation = [this] { return ValidationBatches(); };
    }
    task.device = device_;
    task.optimizer = config_.problem.optimizer;
    task.stop = config_.problem.stop;
    task.samples = outcome_.data.train_samples;
    task.batch_size = BatchSize(config_.problem);
    task.identified_samples = splits_.train != nullptr;
    return task;
  }

  int64_t Classes() const {
    return splits_.train ? std::ssize(splits_.train->classes()) : SyntheticSizes(config_).classes;
  }
  int64_t EdgeOfImages() const {
    return splits_.train ? splits_.train->image_size() : ImageSize(config_, entry_);
  }
  torch::MemoryFormat Format() const {
    return config_.software.memory_format == api::MemoryFormat::kChannelsLast
               ? torch::MemoryFormat::ChannelsLast
               : torch::MemoryFormat::Contiguous;
  }

  const Splits& splits_;
  const api::RunConfig& config_;
  const model::NetworkEntry entry_;
  const torch::Device device_;
  Observer& observer_;
  TrainOutcome& outcome_;
  std::vector<int64_t> validation_labels_;
};

}  // namespace

base::Status RunTraining(const api::RunConfig& config, const Surroundings& surroundings,
                         Observer& observer, std::stop_token stop, TrainOutcome& outcome) {
  observer.OnPhase(Phase::kIndexing);
  const auto entry = ChooseNetwork(config);
  if (!entry) return tl::unexpected(entry.error());
  const auto splits = OpenSplits(config, surroundings.data, ImageSize(config, *entry), stop);
  if (!splits) return tl::unexpected(splits.error());
  return RunTrainingOn(*splits, config, surroundings.compute_threads, observer, std::move(stop),
                       outcome);
}

base::Status RunTrainingOn(const Splits& splits, const api::RunConfig& config,
                           int64_t compute_threads, Observer& observer, std::stop_token stop,
                           TrainOutcome& outcome) {
  const auto entry = ChooseNetwork(config);
  if (!entry) return tl::unexpected(entry.error());
  try {
    const auto device = ChooseDevice(config.device);
    if (!device) return tl::unexpected(device.error());
    SetNumerics(config.software.precision, compute_threads);
    return Run(splits, config, *entry, *device, observer, outcome).Execute(std::move(stop));
  } catch (const c10::Error& error) {
    return MakeError(ErrorKind::kInternal,
                     std::string("libtorch: ") + error.what_without_backtrace());
  } catch (const std::exception& error) {
    return MakeError(ErrorKind::kInternal, error.what());
  }
}

}  // namespace fairlap::train

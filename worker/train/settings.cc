#include "worker/train/settings.h"

#include <string>

#include "worker/train/splits.h"

namespace fairlap::train {
namespace {

using base::ErrorKind;
using base::MakeError;

base::Status CheckData(const api::RunConfig& config, const models::NetworkFacts& facts) {
  const bool pairs = config.problem.dataset.format == api::DatasetFormat::kCarePairs;
  const bool denoises = facts.task == models::Task::kDenoising;
  if (IsSynthetic(config) || pairs == denoises) return {};
  return MakeError(ErrorKind::kInvalidInput,
                   std::string(facts.name) + (denoises ? " denoises" : " classifies") +
                       " images, and the data set's format is " +
                       std::string(base::EnumName(config.problem.dataset.format)) +
                       (denoises ? "; it needs carePairs or synthetic"
                                 : "; it needs imageFolder, cifar10 or synthetic"));
}

base::Status CheckImageSize(const models::NetworkFacts& facts, int64_t image_size) {
  const std::string asked = ", and imageSize is " + std::to_string(image_size);
  if (image_size < facts.smallest_image_size) {
    return MakeError(ErrorKind::kInvalidInput,
                     std::string(facts.name) + " needs images of at least " +
                         std::to_string(facts.smallest_image_size) + " pixels" + asked);
  }
  if (image_size % facts.size_multiple != 0) {
    return MakeError(ErrorKind::kInvalidInput, std::string(facts.name) +
                                                   " needs an image size that is a multiple of " +
                                                   std::to_string(facts.size_multiple) + asked);
  }
  return {};
}

step::Algorithm AlgorithmOf(api::OptimizerName name) {
  switch (name) {
    case api::OptimizerName::kSgd: return step::Algorithm::kSgd;
    case api::OptimizerName::kAdam: return step::Algorithm::kAdam;
    case api::OptimizerName::kAdamW: return step::Algorithm::kAdamW;
  }
  return step::Algorithm::kSgd;
}

}  // namespace

// On one device the two ways to say it are the same.
int64_t BatchSize(const api::ProblemSpec& problem) {
  return problem.batch_size ? *problem.batch_size : problem.global_batch_size.value_or(1);
}

torch::MemoryFormat FormatOf(const api::RunConfig& config) {
  return config.software.memory_format == api::MemoryFormat::kChannelsLast
             ? torch::MemoryFormat::ChannelsLast
             : torch::MemoryFormat::Contiguous;
}

int64_t ImageSize(const api::RunConfig& config, const models::NetworkFacts& facts) {
  return config.problem.dataset.image_size.value_or(facts.image_size);
}

base::Result<models::NetworkFacts> ChooseNetwork(const api::RunConfig& config) {
  const std::string name(base::EnumName(config.software.model));
  const models::NetworkFacts* facts = models::FindFacts(name);
  if (facts == nullptr) {
    return MakeError(ErrorKind::kUnavailable, name + " is not available in this version");
  }
  if (auto status = CheckData(config, *facts); !status) return tl::unexpected(status.error());
  if (auto status = CheckImageSize(*facts, ImageSize(config, *facts)); !status) {
    return tl::unexpected(status.error());
  }
  return *facts;
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

base::Result<step::StepOptions> MakeStepOptions(const api::RunConfig& config,
                                                const models::NetworkFacts& facts,
                                                torch::Device device) {
  const api::OptimizerSpec& optimizer = config.problem.optimizer;
  step::StepOptions options;
  options.device = device;
  options.precision = *step::ParsePrecision(base::EnumName(config.software.precision));
  options.loss = {.task = facts.task, .label_smoothing = optimizer.label_smoothing.Value()};
  options.optimizer = MakeOptimizerOptions(optimizer);
  options.cuda_graphs = config.software.cuda_graphs;
  if (std::string why = step::WhyRefused(options); !why.empty()) {
    return MakeError(ErrorKind::kUnavailable, std::move(why));
  }
  return options;
}

step::OptimizerOptions MakeOptimizerOptions(const api::OptimizerSpec& spec) {
  step::OptimizerOptions options{.algorithm = AlgorithmOf(spec.name),
                                 .momentum = spec.momentum.Value(),
                                 .nesterov = spec.nesterov,
                                 .beta1 = spec.beta1.Value(),
                                 .beta2 = spec.beta2.Value(),
                                 .epsilon = spec.epsilon.Value(),
                                 .weight_decay = spec.weight_decay.Value(),
                                 .decay_norm_and_bias = spec.decay_norm_and_bias,
                                 .gradient_clip_norm = {}};
  if (spec.gradient_clip_norm) options.gradient_clip_norm = spec.gradient_clip_norm->Value();
  return options;
}

}  // namespace fairlap::train

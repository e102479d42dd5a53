#include "lib/api/rule_groups.h"

namespace fairlap::api {
namespace {

bool IsSynthetic(const RunSpec& spec) {
  return spec.problem.dataset.format == DatasetFormat::kSynthetic;
}

bool FitsModel(const RunSpec& spec) {
  const DatasetFormat format = spec.problem.dataset.format;
  if (spec.software.model == Model::kCare2d) {
    return format == DatasetFormat::kCarePairs || format == DatasetFormat::kSynthetic;
  }
  return format != DatasetFormat::kCarePairs;
}

bool MetricFitsModel(const RunSpec& spec) {
  if (!spec.problem.stop.accuracy) return true;
  const AccuracyMetric metric = spec.problem.stop.accuracy->metric;
  if (metric == AccuracyMetric::kLoss) return true;
  return (spec.software.model == Model::kCare2d) == (metric == AccuracyMetric::kPsnr);
}

bool DividesGlobalBatch(const RunSpec& spec) {
  if (!spec.problem.global_batch_size) return true;
  const int64_t gpus = spec.compute.gpus.value_or(0);
  const int64_t per_node = spec.compute.device == Device::kGpu && gpus > 0 ? gpus : 1;
  const int64_t devices = spec.compute.nodes * per_node;
  return *spec.problem.global_batch_size % devices == 0;
}

constexpr Rule kRules[] = {
    {"spec",
     "self.software.model == 'care2d' ? "
     "self.problem.dataset.format in ['carePairs', 'synthetic'] : "
     "self.problem.dataset.format != 'carePairs'",
     "software.model care2d and problem.dataset.format carePairs need each other (care2d also "
     "takes "
     "synthetic)",
     FitsModel},
    {"spec",
     "!has(self.problem.stop.accuracy) || self.problem.stop.accuracy.metric == 'loss' || "
     "(self.software.model == 'care2d') == (self.problem.stop.accuracy.metric == 'psnr')",
     "problem.stop.accuracy.metric must be psnr or loss for care2d, and top1, top5 or loss for "
     "every "
     "other model",
     MetricFitsModel},
    {"spec", "has(self.storage.data) == (self.problem.dataset.format != 'synthetic')",
     "storage.data is required, except for problem.dataset.format synthetic, which reads none",
     [](const RunSpec& spec) { return spec.storage.data.has_value() != IsSynthetic(spec); }},
    {"spec",
     "self.problem.dataset.format != 'synthetic' || "
     "(self.storage.staging == 'direct' && self.storage.cache == 'asIs' && "
     "!self.measurement.stallAnalysis)",
     "problem.dataset.format synthetic reads no files: storage.staging must be direct, "
     "storage.cache "
     "asIs and measurement.stallAnalysis false",
     [](const RunSpec& spec) {
       return !IsSynthetic(spec) ||
              (spec.storage.staging == Staging::kDirect && spec.storage.cache == Cache::kAsIs &&
               !spec.measurement.stall_analysis);
     }},
    {"spec",
     "self.compute.device != 'emulated' || "
     "(self.problem.dataset.format != 'synthetic' && has(self.problem.batchSize) && "
     "!has(self.problem.stop.accuracy))",
     "compute.device emulated feeds real files to accelerators that train nothing: "
     "problem.dataset.format must not be synthetic, batchSize is needed and stop.accuracy "
     "impossible",
     [](const RunSpec& spec) {
       return spec.compute.device != Device::kEmulated ||
              (!IsSynthetic(spec) && spec.problem.batch_size && !spec.problem.stop.accuracy);
     }},
    {"spec",
     "self.compute.device == 'gpu' || (self.software.precision != 'tf32' && "
     "!self.software.cudaGraphs && self.software.input.decoder != 'nvjpeg')",
     "software.precision tf32, software.cudaGraphs and software.input.decoder nvjpeg need "
     "compute.device gpu",
     [](const RunSpec& spec) {
       return spec.compute.device == Device::kGpu ||
              (spec.software.precision != Precision::kTf32 && !spec.software.cuda_graphs &&
               spec.software.input.decoder != Decoder::kNvjpeg);
     }},
    {"spec",
     "!has(self.problem.globalBatchSize) || self.problem.globalBatchSize % "
     "(self.compute.nodes * (self.compute.device == 'gpu' && has(self.compute.gpus) && "
     "self.compute.gpus > 0 ? self.compute.gpus : 1)) == 0",
     "problem.globalBatchSize must be a multiple of the number of devices (compute.nodes x gpus)",
     DividesGlobalBatch},
};

}  // namespace

std::span<const Rule> SectionRules() { return kRules; }

}  // namespace fairlap::api

#include "worker/train/batch_source.h"

#include <algorithm>
#include <utility>

namespace fairlap::train {
namespace {

class PipelineSource : public BatchSource {
 public:
  PipelineSource(const data::Dataset& dataset, const PipelineSourceOptions& options)
      : device_(options.device),
        order_(options.pipeline.order),
        kind_(dataset.kind()),
        image_size_(dataset.image_size()),
        pipeline_(dataset, options.pipeline) {
    if (!options.labels.empty()) label_map_ = torch::tensor(options.labels, torch::kInt64);
  }

  base::Result<std::optional<data::Batch>> Next(std::stop_token stop) override {
    return pipeline_.Next(std::move(stop));
  }

  step::DeviceBatch ToDevice(const data::Batch& batch) override {
    if (kind_ == data::SampleKind::kImagePair) return Pairs(batch);
    // Labels are only read; the framework has no view of constant memory.
    torch::Tensor labels =
        torch::from_blob(const_cast<int64_t*>(batch.labels.data()), {batch.size}, torch::kInt64);
    if (label_map_.defined()) labels = label_map_.index_select(0, labels);
    return {.images = Move(Images(batch)), .targets = Move(std::move(labels))};
  }

  int64_t ready_batches() const override { return pipeline_.ready_batches(); }
  data::PipelineTotals Totals() const override { return pipeline_.Totals(); }
  std::vector<data::BadSample> BadSamples() const override { return pipeline_.BadSamples(); }
  data::FirstPass ReadInFirstPass() const override { return pipeline_.ReadInFirstPass(); }

 private:
  // The noisy and the clean plane of every sample.
  step::DeviceBatch Pairs(const data::Batch& batch) const {
    const int64_t n = batch.size, s = image_size_;
    const torch::Tensor both =
        Move(torch::from_blob(batch.pixels.data(), {n, 2, s, s}, torch::kFloat32));
    return {.images = both.narrow(1, 0, 1).contiguous(), .targets = both.narrow(1, 1, 1)};
  }

  torch::Tensor Images(const data::Batch& batch) const {
    const int64_t n = batch.size, s = image_size_;
    if (order_ == data::PixelOrder::kChannelsFirst) {
      return torch::from_blob(batch.pixels.data(), {n, 3, s, s}, torch::kFloat32);
    }
    return torch::from_blob(batch.pixels.data(), {n, s, s, 3}, torch::kFloat32)
        .permute({0, 3, 1, 2});
  }

  // To a GPU by way of pinned memory, so that the host does not wait for the device; the framework
  // keeps the pinned block until the copy is done.
  torch::Tensor Move(torch::Tensor tensor) const {
    if (device_.is_cpu()) return tensor;
    return tensor.pin_memory().to(device_, /*non_blocking=*/true);
  }

  torch::Device device_;
  data::PixelOrder order_;
  data::SampleKind kind_;
  int64_t image_size_;
  torch::Tensor label_map_;
  data::Pipeline pipeline_;
};

class SyntheticSource : public BatchSource {
 public:
  explicit SyntheticSource(const SyntheticSourceOptions& options) : options_(options) {
    const int64_t n = std::min(options.batch_size, options.samples), s = options.image_size;
    const auto floats =
        torch::device(options.on_host ? torch::Device(torch::kCPU) : options.device);
    if (options.task == models::Task::kDenoising) {
      targets_ = torch::randn({n, 1, s, s}, floats);
      images_ = targets_ + torch::randn({n, 1, s, s}, floats);
    } else {
      images_ = torch::randn({n, 3, s, s}, floats).contiguous(options.memory_format);
      targets_ = torch::randint(options.classes, {n}, floats.dtype(torch::kInt64));
    }
    if (!options.on_host || options.device.is_cpu()) return;
    images_ = images_.pin_memory();
    targets_ = targets_.pin_memory();
  }

  base::Result<std::optional<data::Batch>> Next(std::stop_token stop) override {
    if (stop.stop_requested()) {
      return base::MakeError(base::ErrorKind::kInterrupted, "interrupted");
    }
    if (options_.epochs != 0 && epoch_ == options_.epochs) return std::nullopt;
    data::Batch batch;
    batch.size = std::min(options_.batch_size, options_.samples - taken_);
    batch.epoch = epoch_;
    taken_ += batch.size;
    batch.last_of_epoch = taken_ == options_.samples;
    if (batch.last_of_epoch) {
      taken_ = 0;
      ++epoch_;
    }
    return batch;
  }

  step::DeviceBatch ToDevice(const data::Batch& batch) override {
    return {.images = Move(images_.narrow(0, 0, batch.size)),
            .targets = Move(targets_.narrow(0, 0, batch.size))};
  }

 private:
  // What is on the device already stays as it is.
  torch::Tensor Move(const torch::Tensor& tensor) const {
    return tensor.to(options_.device, /*non_blocking=*/true);
  }

  SyntheticSourceOptions options_;
  torch::Tensor images_, targets_;
  int64_t taken_ = 0;  // of this epoch
  int64_t epoch_ = 0;
};

}  // namespace

std::unique_ptr<BatchSource> MakePipelineSource(const data::Dataset& dataset,
                                                const PipelineSourceOptions& options) {
  return std::make_unique<PipelineSource>(dataset, options);
}

std::unique_ptr<BatchSource> MakeSyntheticSource(const SyntheticSourceOptions& options) {
  return std::make_unique<SyntheticSource>(options);
}

}  // namespace fairlap::train

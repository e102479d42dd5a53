// Where the training loop's batches come from: the input pipeline, or tensors that were drawn once
// on the device (the control without input). Waiting for a batch and bringing it to the device are
// separate calls, because they are separate stages.
#ifndef FAIRLAP_WORKER_TRAIN_BATCH_SOURCE_H_
#define FAIRLAP_WORKER_TRAIN_BATCH_SOURCE_H_

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "lib/base/result.h"
#include "lib/models/networks.h"
#include "worker/data/pipeline.h"
#include "worker/step/batch.h"

namespace fairlap::train {

// Used by one thread.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  // As Pipeline::Next. A synthetic batch has its size and place in the epoch alone.
  virtual base::Result<std::optional<data::Batch>> Next(std::stop_token stop) = 0;
  // The batch that Next lent last. On the CPU the tensors are views, valid until the next Next.
  virtual step::DeviceBatch ToDevice(const data::Batch& batch) = 0;
  virtual int64_t ready_batches() const { return 0; }
  virtual data::PipelineTotals Totals() const { return {}; }
  virtual std::vector<data::BadSample> BadSamples() const { return {}; }
  virtual data::FirstPass ReadInFirstPass() const { return {}; }
};

struct PipelineSourceOptions {
  data::PipelineOptions pipeline;
  torch::Device device{torch::kCPU};
  std::vector<int64_t>
      labels;  // the network's class for each label of the data set; empty: the same
};

// `dataset` must outlive the source. Input threads start at once.
std::unique_ptr<BatchSource> MakePipelineSource(const data::Dataset& dataset,
                                                const PipelineSourceOptions& options);

struct SyntheticSourceOptions {
  int64_t samples = 0;  // an epoch
  int64_t batch_size = 0;
  models::Task task = models::Task::kClassification;
  int64_t image_size = 0;
  int64_t classes = 0;  // of a classifier
  int64_t epochs = 0;   // 0: endless
  torch::Device device{torch::kCPU};
  torch::MemoryFormat memory_format = torch::MemoryFormat::Contiguous;
  bool on_host = false;  // the batch lies in (pinned) host memory and is copied at every step
};

// Draws one batch of standard normal pixels and uniform labels (for denoising: standard normal
// clean images, and the same with as much noise) from libtorch's default generator, and lends it
// again and again.
std::unique_ptr<BatchSource> MakeSyntheticSource(const SyntheticSourceOptions& options);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_BATCH_SOURCE_H_

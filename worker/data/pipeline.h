// Files to batches: input threads load samples straight into their slots of pre-allocated batches,
// the training thread takes finished batches in order. Which samples a batch holds and how each is
// augmented is a pure function of seed and epoch, whatever the number of threads. Memory is
// bounded: prefetch_batches ready or in work, plus the one lent out. One slow sample holds up its
// own batch only.
#ifndef FAIRLAP_WORKER_DATA_PIPELINE_H_
#define FAIRLAP_WORKER_DATA_PIPELINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "worker/data/dataset.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {

// Bytes that one thread of this process has fetched from a device since it started; nullopt where
// the system does not tell. Called by the thread itself and by others, while it runs.
using ThreadByteCounter = std::function<std::optional<int64_t>(int64_t thread)>;

struct PipelineOptions {
  int64_t batch_size = 64;
  int64_t threads = 4;
  int64_t prefetch_batches = 4;
  PixelOrder order = PixelOrder::kChannelsFirst;
  uint64_t seed = 0;
  bool shuffle = true;  // a new permutation each epoch, from seed and epoch
  bool augment = true;
  int64_t epochs = 0;         // how many; 0: endless
  int64_t max_bad_files = 0;  // distinct files that may be skipped before Next fails
  storage::ReadMode read_mode = storage::ReadMode::kBuffered;
  ThreadByteCounter fetched_bytes = {};  // see FirstPass
};

struct BadSample {
  std::string path;
  std::string reason;
};

// Since construction; every field only grows.
struct PipelineTotals {
  double read_seconds = 0, decode_seconds = 0, transform_seconds = 0;  // thread-busy
  int64_t samples = 0;
  int64_t bytes_requested = 0;
  int64_t bad_files = 0;         // distinct
  int64_t unreadable_files = 0;  // of them, those that could not be opened or read
};

// What the first epoch read: every sample of it once.
struct FirstPass {
  int64_t bytes = 0;                     // asked of the file system, by samples that were loaded
  int64_t page_bytes = 0;                // the same, every file rounded up to whole pages
  std::optional<int64_t> fetched_bytes;  // by the input threads; nullopt: nobody tells
};

// One batch, lent by the pipeline; its memory is valid until it is destroyed or given back. The
// last batch of an epoch may be smaller, and a bad file makes its batch smaller: never padded.
struct Batch {
  std::span<float> pixels;           // size x the planes of a sample, contiguous; see Dataset
  std::span<const int64_t> labels;   // size
  std::span<const int64_t> indices;  // size; samples of the data set
  int64_t size = 0;                  // may be 0 if every file of it was bad
  int64_t epoch = 0;                 // 0-based
  bool last_of_epoch = false;
};

class Pipeline {
 public:
  // `dataset` must outlive the pipeline. Starts its threads at once.
  Pipeline(const Dataset& dataset, const PipelineOptions& options);
  ~Pipeline();  // stops and joins promptly: at most one sample per thread is finished
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // The next batch, waiting for it; nullopt after the last epoch. The batch lent before is given
  // back by this call. Errors: kInvalidInput naming the file once more than max_bad_files are bad;
  // kInterrupted when `stop` is requested while waiting; kOutOfMemory or kInternal once an input
  // thread cannot go on. One consumer thread.
  base::Result<std::optional<Batch>> Next(std::stop_token stop);

  PipelineTotals Totals() const;              // any thread
  int64_t ready_batches() const;              // any thread; finished and not yet taken
  std::vector<BadSample> BadSamples() const;  // any thread; at most 100
  // Of the first epoch so far; exact once all of it was taken. Any thread.
  FirstPass ReadInFirstPass() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PIPELINE_H_

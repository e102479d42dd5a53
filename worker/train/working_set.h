// Which files a training reads, known before it starts. Links no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_WORKING_SET_H_
#define FAIRLAP_WORKER_TRAIN_WORKING_SET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/api/run_config.h"
#include "worker/data/dataset.h"
#include "worker/train/splits.h"

namespace fairlap::train {

// The files of some samples, numbered; their paths are made on demand, since there may be millions.
class WorkingSet {
 public:
  // `dataset` must outlive this. Does nothing for one that is held in memory.
  void Add(const data::Dataset& dataset, std::vector<int64_t> samples);

  int64_t files() const { return files_; }
  std::string Path(int64_t file) const;  // `file` in [0, files)

 private:
  struct Part {
    const data::Dataset* dataset;
    std::vector<int64_t> samples;
    int64_t first_file;
  };
  std::vector<Part> parts_;
  int64_t files_ = 0;
};

// What the stop rule will touch. Steps: the samples of that many batches, and of the
// prefetchBatches that are read ahead of them. Epochs and accuracy: both splits, whole. Nothing of
// synthetic data. `batch_size` is per device.
WorkingSet FindWorkingSet(const Splits& splits, const api::RunConfig& config, int64_t batch_size);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_WORKING_SET_H_

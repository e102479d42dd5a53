#include "worker/train/working_set.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "worker/data/sample_order.h"

namespace fairlap::train {
namespace {

std::vector<int64_t> AllSamples(const data::Dataset& dataset) {
  std::vector<int64_t> samples(static_cast<size_t>(dataset.size()));
  std::iota(samples.begin(), samples.end(), 0);
  return samples;
}

// Of the first epoch; with that many batches or more, all.
std::vector<int64_t> SamplesOfBatches(const data::Dataset& dataset, int64_t batches,
                                      int64_t batch_size, int64_t seed) {
  data::SampleOrder order(dataset.size(), batch_size, static_cast<uint64_t>(seed),
                          /*shuffle=*/true);
  std::vector<int64_t> samples;
  for (int64_t batch = 0; batch < std::min(batches, order.batches_per_epoch()); ++batch) {
    const auto more = order.Samples(batch);
    samples.insert(samples.end(), more.begin(), more.end());
  }
  return samples;
}

}  // namespace

void WorkingSet::Add(const data::Dataset& dataset, std::vector<int64_t> samples) {
  if (dataset.files_per_sample() == 0 || samples.empty()) return;
  const int64_t more = std::ssize(samples) * dataset.files_per_sample();
  parts_.push_back({&dataset, std::move(samples), files_});
  files_ += more;
}

std::string WorkingSet::Path(int64_t file) const {
  const auto after = std::ranges::upper_bound(parts_, file, {}, &Part::first_file);
  const Part& part = *std::prev(after);
  const int64_t each = part.dataset->files_per_sample();
  const int64_t offset = file - part.first_file;
  return part.dataset->SampleFile(part.samples[static_cast<size_t>(offset / each)], offset % each);
}

WorkingSet FindWorkingSet(const Splits& splits, const api::RunConfig& config, int64_t batch_size) {
  WorkingSet set;
  if (!splits.train) return set;
  if (const auto& steps = config.problem.stop.steps) {
    const int64_t batches = *steps + config.software.input.prefetch_batches;
    set.Add(*splits.train, SamplesOfBatches(*splits.train, batches, batch_size, config.seed));
    return set;
  }
  set.Add(*splits.train, AllSamples(*splits.train));
  if (splits.validation) set.Add(*splits.validation, AllSamples(*splits.validation));
  return set;
}

}  // namespace fairlap::train

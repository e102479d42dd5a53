// The training and the validation split of a RunConfig's data set. Includes no libtorch.
#ifndef FAIRLAP_WORKER_TRAIN_SPLITS_H_
#define FAIRLAP_WORKER_TRAIN_SPLITS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "lib/api/run_config.h"
#include "lib/base/result.h"
#include "lib/report/report.h"
#include "worker/data/dataset.h"

namespace fairlap::train {

// Both null for synthetic data.
struct Splits {
  std::unique_ptr<data::Dataset> train;
  std::unique_ptr<data::Dataset> validation;  // null: there is none, or the stop rule needs none
};

bool IsSynthetic(const api::RunConfig& config);
api::SyntheticSpec SyntheticSizes(const api::RunConfig& config);

// A rule on epochs is content without a validation split, one on accuracy is not, and one on steps
// never looks at it. Errors: what OpenDataset says.
base::Result<Splits> OpenSplits(const api::RunConfig& config, const std::filesystem::path& root,
                                int64_t image_size, const std::stop_token& stop);

report::DataFacts DescribeData(const api::RunConfig& config, const Splits& splits);

// The training split's label for each label of the validation split; kInvalidInput if the
// validation split has a class that the training split lacks.
base::Result<std::vector<int64_t>> MatchClasses(const Splits& splits);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_SPLITS_H_

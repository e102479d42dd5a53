#include "worker/train/splits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lib/base/sha256.h"

namespace fairlap::train {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr size_t kListedClasses = 1000;

base::Result<std::unique_ptr<data::Dataset>> OpenSplit(const api::RunConfig& config,
                                                       const std::filesystem::path& root,
                                                       data::Split split, int64_t image_size,
                                                       const std::stop_token& stop) {
  return data::OpenDataset(
      {.spec = config.problem.dataset, .root = root, .split = split, .image_size = image_size},
      stop);
}

std::string Identity(const Splits& splits) {
  if (!splits.validation) return splits.train->identity();
  base::Sha256 hash;
  hash.Add(splits.train->identity());
  hash.Add(splits.validation->identity());
  return hash.HexDigest();
}

}  // namespace

bool IsSynthetic(const api::RunConfig& config) {
  return config.problem.dataset.format == api::DatasetFormat::kSynthetic;
}

api::SyntheticSpec SyntheticSizes(const api::RunConfig& config) {
  return config.problem.dataset.synthetic.value_or(api::SyntheticSpec{});
}

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

report::DataFacts DescribeData(const api::RunConfig& config, const Splits& splits) {
  report::DataFacts facts;
  facts.format = base::EnumName(config.problem.dataset.format);
  if (!splits.train) {
    const api::SyntheticSpec sizes = SyntheticSizes(config);
    facts.train_samples = sizes.samples;
    facts.validation_samples = sizes.validation_samples;
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

}  // namespace fairlap::train

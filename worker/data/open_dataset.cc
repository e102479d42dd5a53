#include <string>

#include "worker/data/care_pairs.h"
#include "worker/data/cifar10.h"
#include "worker/data/dataset.h"
#include "worker/data/image_folder.h"
#include "worker/data/packed_folder.h"

namespace fairlap::data {

std::string Dataset::SampleFile(int64_t /*index*/, int64_t /*file*/) const { return ""; }

base::Result<std::unique_ptr<Dataset>> OpenDataset(const DatasetOptions& options,
                                                   std::stop_token stop) {
  const api::DatasetSpec& spec = options.spec;
  const std::filesystem::path folder =
      options.root / (options.split == Split::kTrain ? spec.train_path : spec.validation_path);
  if (spec.layout == api::DatasetLayout::kPacked) {
    if (spec.format == api::DatasetFormat::kImageFolder) {
      return OpenPackedFolder(folder, options.image_size, stop);
    }
    return base::MakeError(
        base::ErrorKind::kInvalidInput,
        "a " + std::string(base::EnumName(spec.format)) + " data set is not read packed");
  }
  switch (spec.format) {
    case api::DatasetFormat::kImageFolder: return OpenImageFolder(folder, options.image_size, stop);
    case api::DatasetFormat::kCarePairs: return OpenCarePairs(folder, options.image_size, stop);
    case api::DatasetFormat::kCifar10:
      if (options.image_size != kCifarEdge) {
        return base::MakeError(
            base::ErrorKind::kInvalidInput,
            "a cifar10 data set has images of 32 x 32 pixels, and imageSize is " +
                std::to_string(options.image_size));
      }
      return OpenCifar10(options.root, options.split, stop);
    default:
      return base::MakeError(
          base::ErrorKind::kInvalidInput,
          "a " + std::string(base::EnumName(spec.format)) + " data set is not read from files");
  }
}

}  // namespace fairlap::data

// Pairs of a noisy and a clean image, as CARE (Weigert et al., Nature Methods 2018) is trained on.
#ifndef FAIRLAP_WORKER_DATA_CARE_PAIRS_H_
#define FAIRLAP_WORKER_DATA_CARE_PAIRS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "lib/base/result.h"
#include "worker/data/dataset.h"

namespace fairlap::data {

// The percentiles that become 0 and 1: those of CSBDeep's PercentileNormalizer
// (csbdeep/data/prepare.py), which is what trained networks are applied with. Its training patches
// (norm_percentiles, csbdeep/data/generate.py) draw theirs from 1 to 3 and 99.5 to 99.9 for every
// patch; fixed ones make a sample a function of its files and its position.
inline constexpr double kCareLowPercentile = 2;
inline constexpr double kCareHighPercentile = 99.8;

// `folder` holds noisy/ and clean/, or else low/ and GT/, with *.tif, *.tiff and *.png in any case
// (gray_image.h says which can be read); names starting with '.' are ignored, links are followed. A
// pair has one name in both folders; a file without its partner is an error here, an unreadable one
// in Load. A sample's name is that of its noisy file.
//
// Load: a square of `image_size` pixels at one place in both images, random for training and the
// middle for validation; no flips and no resizing, as CSBDeep has none by default. Each image is
// normalised by the percentiles of the whole of it, (x - low) / (high - low) in float32, and not
// clipped. What is wrong with the clean image is said as "the clean image: truncated PNG".
base::Result<std::unique_ptr<Dataset>> OpenCarePairs(const std::filesystem::path& folder,
                                                     int64_t image_size, std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_CARE_PAIRS_H_

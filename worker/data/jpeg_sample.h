// From a JPEG file's bytes to a training sample; the same for every layout that holds JPEGs.
#ifndef FAIRLAP_WORKER_DATA_JPEG_SAMPLE_H_
#define FAIRLAP_WORKER_DATA_JPEG_SAMPLE_H_

#include <cstdint>
#include <span>

#include "lib/base/result.h"
#include "worker/data/dataset.h"

namespace fairlap::data {

// Decodes what the crop needs of `file`, turns it upright, resizes it and writes 3 x image_size x
// image_size normalised floats to `pixels`; adds to `cost` what decoding and transforming took.
// Errors are the decoder's: "truncated JPEG", "is not a JPEG file".
base::Status DecodeJpegSample(std::span<const uint8_t> file, const SampleRequest& request,
                              int64_t image_size, std::span<float> pixels, Scratch& scratch,
                              LoadCost& cost);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_JPEG_SAMPLE_H_

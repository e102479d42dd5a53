// What generated image pairs show, on integers alone: a specimen as a fluorescence microscope sees
// it, and what a camera makes of that in a short exposure.
#ifndef FAIRLAP_WORKER_DATA_SPECIMEN_H_
#define FAIRLAP_WORKER_DATA_SPECIMEN_H_

#include <cstdint>
#include <vector>

#include "lib/base/random.h"

namespace fairlap::data {

// `edge` x `edge` values, row after row: haze, cells with a texture, filaments and spots, each of
// many sizes, smooth at the scale of pixels. Above the camera's black level of 4096, and at most
// 65535.
std::vector<uint16_t> DrawSpecimen(int64_t edge, base::Random& random);

// The same with noise: at each pixel near to normal, its variance growing with the light as that of
// counted photons does, plus a constant. Both are drawn for the image: 20 to 60 photons at the
// 99.8th percentile of the light, and a read noise of 4 to 7 % of that.
std::vector<uint16_t> Expose(const std::vector<uint16_t>& specimen, base::Random& random);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_SPECIMEN_H_

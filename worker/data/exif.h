// The one Exif tag that changes what is seen.
#ifndef FAIRLAP_WORKER_DATA_EXIF_H_
#define FAIRLAP_WORKER_DATA_EXIF_H_

#include <cstdint>
#include <span>

namespace fairlap::data {

// How a stored image is turned to be seen upright: first transposed, then flipped.
struct Orientation {
  bool transpose = false;
  bool flip_x = false;  // of the upright image
  bool flip_y = false;
};

// Tag 0x0112 of Exif 2.3 in the first APP1 segment, 1 to 8; 1 (upright) where it is absent or
// malformed. Reads nothing beyond `jpeg`.
int ExifOrientation(std::span<const uint8_t> jpeg);

// `exif` is 1 to 8.
Orientation MakeOrientation(int exif);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_EXIF_H_

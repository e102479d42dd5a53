// Photographs to cut a data set out of.
#ifndef FAIRLAP_WORKER_DATA_PHOTOGRAPHS_H_
#define FAIRLAP_WORKER_DATA_PHOTOGRAPHS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/random.h"
#include "lib/base/result.h"
#include "worker/data/dataset.h"
#include "worker/data/jpeg_encoder.h"

namespace fairlap::data {

struct Photograph {
  std::string class_name;  // letters, digits, '-' and '_'; unique
  std::filesystem::path path;
  std::string sha256;
};

// The first `count` photographs of the folder, or all if it is 0, in byte order of their class
// names.
base::Result<std::vector<Photograph>> FindPhotographs(const std::filesystem::path& folder,
                                                      int64_t count);

// Pixels as stored; errors name the path.
base::Result<RgbImage> ReadPhotograph(const std::filesystem::path& path);

// A random rectangle of at most width x height pixels, from the first three quarters of the longer
// edge for training and from the rest for validation.
RgbImage CutPhotograph(const RgbImage& photograph, Split split, int64_t width, int64_t height,
                       base::Random& random);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PHOTOGRAPHS_H_

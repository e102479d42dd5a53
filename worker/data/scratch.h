// What an input thread keeps from sample to sample, so that a sample allocates nothing.
#ifndef FAIRLAP_WORKER_DATA_SCRATCH_H_
#define FAIRLAP_WORKER_DATA_SCRATCH_H_

#include <string>

#include "worker/data/gray_image.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/percentiles.h"
#include "worker/data/resize.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {

class Scratch {
 public:
  explicit Scratch(storage::ReadMode mode = storage::ReadMode::kBuffered) : reader(mode) {}

  std::string path;
  storage::FileReader reader;
  JpegDecoder decoder;
  Resizer resizer;
  GrayBuffers gray;
  Histogram histogram;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_SCRATCH_H_

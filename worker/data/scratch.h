// What an input thread keeps from sample to sample, so that a sample allocates nothing.
#ifndef FAIRLAP_WORKER_DATA_SCRATCH_H_
#define FAIRLAP_WORKER_DATA_SCRATCH_H_

#include <string>

#include "worker/data/gray_image.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/data/percentiles.h"
#include "worker/data/resize.h"
#include "worker/storage/byte_buffer.h"

namespace fairlap::data {

class Scratch {
 public:
  std::string path;
  storage::ByteBuffer file;
  JpegDecoder decoder;
  Resizer resizer;
  GrayBuffers gray;
  Histogram histogram;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_SCRATCH_H_

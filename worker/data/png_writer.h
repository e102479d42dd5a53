// PNG files whose bytes depend on the pixels alone: no library's compressor is asked.
#ifndef FAIRLAP_WORKER_DATA_PNG_WRITER_H_
#define FAIRLAP_WORKER_DATA_PNG_WRITER_H_

#include <cstdint>
#include <span>
#include <string>

namespace fairlap::data {

// A grayscale PNG of 16 bits a pixel, stored without compression. `pixels` are width x height
// values, row after row; both edges are 1 to 4096.
std::string MakeStoredPng(int64_t width, int64_t height, std::span<const uint16_t> pixels);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PNG_WRITER_H_

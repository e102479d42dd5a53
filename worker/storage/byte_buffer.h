// Memory that grows and is never cleared: what an input thread reads into, sample after sample.
#ifndef FAIRLAP_WORKER_STORAGE_BYTE_BUFFER_H_
#define FAIRLAP_WORKER_STORAGE_BYTE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace fairlap::storage {

class ByteBuffer {
 public:
  // At least `size` bytes of unspecified content; earlier spans are then invalid.
  std::span<uint8_t> Reserve(size_t size) {
    if (size > capacity_) {
      bytes_ = std::make_unique_for_overwrite<uint8_t[]>(size);
      capacity_ = size;
    }
    return {bytes_.get(), size};
  }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t capacity_ = 0;
};

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_BYTE_BUFFER_H_

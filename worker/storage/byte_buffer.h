// Memory that grows and is never cleared: what an input thread reads into, sample after sample.
#ifndef FAIRLAP_WORKER_STORAGE_BYTE_BUFFER_H_
#define FAIRLAP_WORKER_STORAGE_BYTE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace fairlap::storage {

class ByteBuffer {
 public:
  // Of its first byte: enough for direct I/O (O_DIRECT), which wants a device's blocks.
  static constexpr size_t kAlignment = 4096;

  // At least `size` bytes of unspecified content; earlier spans are then invalid.
  std::span<uint8_t> Reserve(size_t size) {
    if (size > capacity_) {
      bytes_.reset();  // first: both need not be held at once
      bytes_.reset(static_cast<uint8_t*>(::operator new(size, std::align_val_t(kAlignment))));
      capacity_ = size;
    }
    return {bytes_.get(), size};
  }

 private:
  struct Delete {
    void operator()(uint8_t* bytes) const {
      ::operator delete(bytes, std::align_val_t(kAlignment));
    }
  };

  std::unique_ptr<uint8_t, Delete> bytes_;
  size_t capacity_ = 0;
};

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_BYTE_BUFFER_H_

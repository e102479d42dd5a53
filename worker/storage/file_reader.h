// Reads one sample's file whole.
#ifndef FAIRLAP_WORKER_STORAGE_FILE_READER_H_
#define FAIRLAP_WORKER_STORAGE_FILE_READER_H_

#include <cstdint>
#include <span>

#include "lib/base/result.h"
#include "worker/storage/byte_buffer.h"

namespace fairlap::storage {

inline constexpr int64_t kMaxSampleFileBytes = int64_t{1} << 30;

// The file's bytes, lying in `buffer`. Errors carry the system's reason and no path, which the
// caller has; never blocks on a pipe or a device.
base::Result<std::span<const uint8_t>> ReadSampleFile(const char* path, ByteBuffer& buffer);

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_FILE_READER_H_

// What stands around the files of a tar archive (POSIX.1-2001 ustar, and pax for long paths). The
// same bytes for the same path and size: no owner, no time.
#ifndef FAIRLAP_WORKER_DATA_TAR_H_
#define FAIRLAP_WORKER_DATA_TAR_H_

#include <cstdint>
#include <string>

namespace fairlap::data {

inline constexpr int64_t kTarBlockBytes = 512;
inline constexpr int64_t kTarEndBytes = 2 * kTarBlockBytes;  // zeros, behind the last file

// Whole blocks that stand before a file's bytes; as many for every size. `size` is below 8 GiB.
std::string TarHeader(const std::string& path, int64_t size);

// Zeros that fill a file's last block.
int64_t TarPadding(int64_t size);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_TAR_H_

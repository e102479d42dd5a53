// Small files, read whole and written atomically. Errors carry the path and the system's reason.
#ifndef FAIRLAP_LIB_BASE_FILE_H_
#define FAIRLAP_LIB_BASE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace fairlap::base {

// The whole file; kInvalidInput if it is larger than `max_bytes`, kNotFound, or kIo.
Result<std::string> ReadFile(const std::filesystem::path& path, int64_t max_bytes);

// Writes beside `path`, syncs, renames: a reader sees the old text or the new one, never a part.
// Creates missing parent folders. On failure nothing is left beside `path`.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text);

// "No space left on device" and the like, for an errno value; thread-safe.
std::string SystemMessage(int error_number);

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_FILE_H_

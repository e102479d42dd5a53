// A file of /proc, /sys or /etc as text; "" where it cannot be read, which its parser takes for
// "not observed".
#ifndef FAIRLAP_WORKER_MEASURE_SYSTEM_FILE_H_
#define FAIRLAP_WORKER_MEASURE_SYSTEM_FILE_H_

#include <filesystem>
#include <string>

#include "lib/base/file.h"

namespace fairlap::measure {

inline std::string ReadSystemFile(const std::filesystem::path& path) {
  constexpr int64_t kMaxBytes = 16 << 20;  // /proc/cpuinfo of a very large machine
  return base::ReadFile(path, kMaxBytes).value_or("");
}

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_SYSTEM_FILE_H_

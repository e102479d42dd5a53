// What a data set's files come to: their bytes, and its identity, the SHA-256 over their sorted
// relative paths and sizes.
#ifndef FAIRLAP_WORKER_DATA_FILE_TALLY_H_
#define FAIRLAP_WORKER_DATA_FILE_TALLY_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "lib/base/sha256.h"

namespace fairlap::data {

// Files are added in byte order of their relative paths.
class FileTally {
 public:
  void Add(const std::string& relative, int64_t bytes);
  // A file without a size, which will be a bad sample, counts as empty.
  void Add(const std::string& relative, const std::filesystem::path& file);

  int64_t bytes() const { return bytes_; }
  std::string Identity() { return hash_.HexDigest(); }  // once, at the end

 private:
  int64_t bytes_ = 0;
  base::Sha256 hash_;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_FILE_TALLY_H_

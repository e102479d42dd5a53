#include "worker/data/file_tally.h"

#include <system_error>

#include "worker/storage/io_watch.h"

namespace fairlap::data {

void FileTally::Add(const std::string& relative, int64_t bytes) {
  hash_.Add(relative);
  hash_.Add(" " + std::to_string(bytes) + "\n");
  bytes_ += bytes;
}

void FileTally::Add(const std::string& relative, const std::filesystem::path& file) {
  const storage::IoScope scope("look up", file.native());
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  Add(relative, error ? 0 : static_cast<int64_t>(size));
}

}  // namespace fairlap::data

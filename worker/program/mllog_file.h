// Where the lines of report::MlLog go.
#ifndef FAIRLAP_WORKER_PROGRAM_MLLOG_FILE_H_
#define FAIRLAP_WORKER_PROGRAM_MLLOG_FILE_H_

#include <filesystem>
#include <string_view>

#include "lib/base/result.h"

namespace fairlap::program {

// A file that is written anew, each line as it comes, so that a worker that dies leaves the lines
// so far; or standard output, for "-". One thread at a time.
class MlLogFile {
 public:
  static base::Result<MlLogFile> Open(const std::filesystem::path& path);
  MlLogFile(MlLogFile&& other) noexcept;
  MlLogFile& operator=(MlLogFile&&) = delete;
  ~MlLogFile();

  // After the first failure nothing more is written.
  void Write(std::string_view line);
  // The first failure.
  const base::Status& status() const { return status_; }

 private:
  MlLogFile(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  std::filesystem::path path_;
  int file_;
  base::Status status_;
};

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_MLLOG_FILE_H_

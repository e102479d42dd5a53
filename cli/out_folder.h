// Where a local run leaves what it measured:
//   report.json                 the whole run, written again after every repeat
//   repeats/<job>/report.json   what one worker measured, and worker.log, what it said; on request
//                               mllog.txt, MLPerf's log lines
//   .fairlap/                   the lock, and each worker's config, address and termination message
#ifndef FAIRLAP_CLI_OUT_FOLDER_H_
#define FAIRLAP_CLI_OUT_FOLDER_H_

#include <filesystem>
#include <string>

#include "lib/base/result.h"

namespace fairlap::cli {

// Held by one run at a time, by a lock that the system gives back when the program ends.
class OutFolder {
 public:
  // Makes the folder and locks it. kConflict if another run holds it (and says who) or an earlier
  // run left its results there and `overwrite` is not set; then nothing was changed. With
  // `overwrite` only what an earlier run wrote is removed.
  static base::Result<OutFolder> Open(const std::filesystem::path& root, const std::string& run,
                                      bool overwrite);
  OutFolder(OutFolder&& other) noexcept;
  OutFolder& operator=(OutFolder&&) = delete;
  ~OutFolder();

  const std::filesystem::path& root() const { return root_; }  // absolute
  std::filesystem::path report_file() const;
  std::filesystem::path repeats() const;
  std::filesystem::path RepeatFolder(const std::string& job) const;   // repeats/<job>
  std::filesystem::path PrivateFolder(const std::string& job) const;  // .fairlap/<job>

 private:
  OutFolder(std::filesystem::path root, int lock) : root_(std::move(root)), lock_(lock) {}
  std::filesystem::path root_;
  int lock_;
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_OUT_FOLDER_H_

// How this library opens files and words what goes wrong. Internal to it.
#ifndef FAIRLAP_WORKER_STORAGE_OPEN_FILE_H_
#define FAIRLAP_WORKER_STORAGE_OPEN_FILE_H_

#include <sys/stat.h>

#include "lib/base/result.h"

namespace fairlap::storage {

// "cannot open: Permission denied", for an errno value; kNotFound for ENOENT, else kIo.
tl::unexpected<base::Error> SystemError(const char* action, int error_number);

// A regular file, open for reading; closed with this. Opening never blocks on a pipe or a device.
class OpenFile {
 public:
  static base::Result<OpenFile> Open(const char* path);
  OpenFile(OpenFile&& other) noexcept;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }
  const struct stat& facts() const { return facts_; }

 private:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  struct stat facts_ {};
};

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_OPEN_FILE_H_

// An open file that closes on every way out.
#ifndef FAIRLAP_LIB_BASE_FILE_DESCRIPTOR_H_
#define FAIRLAP_LIB_BASE_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fairlap::base {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}  // below 0: none
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

  // Closes it now; 0, or the errno of a write that the system had put off and that failed.
  int Close() {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && ::close(fd) != 0 ? errno : 0;
  }

 private:
  int fd_;
};

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_FILE_DESCRIPTOR_H_

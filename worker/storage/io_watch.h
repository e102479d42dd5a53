// What this process's threads are waiting for from file systems, so that a mount that hangs is
// named and ends the run, instead of holding it up for good. A thread inside of the kernel cannot
// be called back; whoever watches can only tell, and end the process.
//
// One register for the process, as the waiting is: any code that reads may be on any thread.
#ifndef FAIRLAP_WORKER_STORAGE_IO_WATCH_H_
#define FAIRLAP_WORKER_STORAGE_IO_WATCH_H_

#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"

namespace fairlap::storage {

struct IoWait {
  std::string action;  // "read", "list", ...
  std::string path;
  base::SteadyTime since;  // its last progress
};

// While it lives the thread that made it waits for the file system. Costs two uncontended locks.
// Inside of another one the inner counts, and the end of the inner is progress of the outer. Made
// and destroyed by one thread, the last one first.
class IoScope {
 public:
  // `action` is a literal; `path` must outlive this.
  IoScope(const char* action, std::string_view path);
  ~IoScope();
  IoScope(const IoScope&) = delete;
  IoScope& operator=(const IoScope&) = delete;

  // The file system answered; what follows is waited for anew.
  void Progress();

 private:
  const char* const outer_action_;
  const std::string outer_path_;
};

// The wait whose last progress is the longest ago; nullopt if no thread waits. Any thread.
std::optional<IoWait> LongestIoWait();

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_IO_WATCH_H_

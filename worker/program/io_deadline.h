// A file system that does not answer within software.input.ioTimeoutSeconds ends the run: nothing
// can call a thread back that waits inside of the kernel for a mount that hangs.
#ifndef FAIRLAP_WORKER_PROGRAM_IO_DEADLINE_H_
#define FAIRLAP_WORKER_PROGRAM_IO_DEADLINE_H_

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "worker/storage/io_watch.h"

namespace fairlap::program {

// The reason of a run that ended so.
inline constexpr char kIoTimeout[] = "IoTimeout";

// "read /data/a.jpg: no answer from the file system for 60 s (...)" once the wait is `timeout` old.
std::optional<std::string> DescribeOverdue(const std::optional<storage::IoWait>& wait,
                                           base::SteadyTime now, std::chrono::seconds timeout);

// Watches all threads of the process for as long as it lives, from a thread of its own.
class IoDeadline {
 public:
  // Told what hangs, in that thread; expected to end the process.
  using OnOverdue = std::function<void(const std::string& message)>;

  IoDeadline(std::chrono::seconds timeout, OnOverdue on_overdue);

  // Whom to tell from now on.
  void Tell(OnOverdue on_overdue);

 private:
  void Watch(std::chrono::seconds timeout);

  std::mutex mutex_;
  OnOverdue on_overdue_;
};

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_IO_DEADLINE_H_

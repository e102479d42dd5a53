// A child process in a process group of its own, so that a Ctrl-C on the terminal reaches only us.
#ifndef FAIRLAP_CLI_PROCESS_H_
#define FAIRLAP_CLI_PROCESS_H_

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::cli {

struct ProcessOptions {
  std::filesystem::path program;
  std::vector<std::string> args;   // without the program's name
  std::filesystem::path log_file;  // standard output and error, made anew; input is /dev/null
};

// Exactly one is set.
struct ProcessEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool ok() const { return exit_code == 0; }
};

// "exited with code 3", "was killed by SIGKILL (9); the kernel does so when memory runs out".
std::string Describe(const ProcessEnd& end);

// Owns the child: destroying it kills and reaps the whole group. One thread.
class Process {
 public:
  // Signals that the caller blocks or ignores are as usual in the child.
  static base::Result<Process> Start(const ProcessOptions& options);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  int fd() const { return fd_; }  // readable once the child has ended
  void Signal(int signal);        // to the whole group; nothing if the child has ended
  // The end of the child, once it is there; what it left in its group is killed.
  std::optional<ProcessEnd> Poll();

 private:
  Process(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
  pid_t pid_;
  int fd_;  // a pidfd
  std::optional<ProcessEnd> end_;
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_PROCESS_H_

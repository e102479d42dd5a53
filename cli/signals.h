// Ctrl-C, SIGTERM and SIGHUP as something to wait for instead of a handler.
#ifndef FAIRLAP_CLI_SIGNALS_H_
#define FAIRLAP_CLI_SIGNALS_H_

#include <optional>

namespace fairlap::cli {

// Blocks the three signals, in this thread and in those it starts later, and ignores SIGPIPE, so
// that a closed terminal or pager cannot end the program before its report is written. Make it
// before any other thread; it is meant to live as long as the program.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int fd() const { return fd_; }  // readable when a signal is there
  std::optional<int> Take();      // does not wait

 private:
  int fd_;
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_SIGNALS_H_

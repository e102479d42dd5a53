// What the run shows while it goes on: a progress display that is redrawn in place on a terminal,
// and is a plain line now and then where there is none.
#ifndef FAIRLAP_CLI_TERMINAL_H_
#define FAIRLAP_CLI_TERMINAL_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cli/progress_line.h"
#include "lib/base/clock.h"

namespace fairlap::cli {

// Results go to standard output, progress and errors to standard error. One thread.
class Terminal {
 public:
  // Looks at standard error, TERM, NO_COLOR and the locale.
  explicit Terminal(const base::Clock& clock);
  ~Terminal();  // leaves no half-drawn progress behind
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void ShowProgress(const ProgressView& view);
  void Print(const std::string& line);       // to standard output, above the progress
  void PrintError(const std::string& line);  // to standard error, above the progress

 private:
  void Clear();

  const base::Clock& clock_;
  LineStyle style_;
  bool live_ = false;
  size_t drawn_lines_ = 0;
  std::optional<base::SteadyTime> last_shown_;
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_TERMINAL_H_

// How a running repeat looks on a terminal. Pure.
#ifndef FAIRLAP_CLI_PROGRESS_LINE_H_
#define FAIRLAP_CLI_PROGRESS_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/figures.h"

namespace fairlap::cli {

struct ProgressView {
  int64_t position = 0;  // 1-based among all repeats, warm-up runs included
  int64_t count = 0;
  bool warmup = false;
  std::optional<api::Progress> worker;  // absent until the worker has answered
  std::optional<double> eta_seconds;    // of the whole run; else the worker's own is shown
};

struct LineStyle {
  int64_t width = 80;  // columns
  bool utf8 = true;    // else plain ASCII
  bool color = true;
};

// Two lines that fit the width: how far, how fast and how long still; and where the time goes, as
// percentages of the input threads' busy time and of the training steps' time. What does not fit is
// left out from the right.
std::vector<std::string> RenderProgress(const ProgressView& view, const LineStyle& style);

// The same in one line without a bar, of any length, for logs.
std::string RenderPlainProgress(const ProgressView& view);

// "0:34", "1:02:03".
std::string FormatDuration(double seconds);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_PROGRESS_LINE_H_

// What a subcommand is asked for, on standard output.
#ifndef FAIRLAP_CLI_PRINT_H_
#define FAIRLAP_CLI_PRINT_H_

#include <cstdio>
#include <string>

#include "cli/commands.h"

namespace fairlap::cli {

// The exit code; kExitFailed where not all of it could be written, which is said on standard error
// with `what` it was.
inline int Print(const std::string& text, const char* what) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return kExitOk;
  std::perror((std::string("error: cannot write ") + what).c_str());
  return kExitFailed;
}

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_PRINT_H_

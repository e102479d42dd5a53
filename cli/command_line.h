// The program's command line. The only file that sees the parser library, which is slow to compile.
#ifndef FAIRLAP_CLI_COMMAND_LINE_H_
#define FAIRLAP_CLI_COMMAND_LINE_H_

#include <functional>

namespace fairlap::cli {

using Action = std::function<int()>;  // returns the exit code

struct CommandLine {
  Action action;      // what was asked for; none after --help, --version or wrong usage,
  int exit_code = 0;  // which were answered, and end the program with this
};

CommandLine ParseCommandLine(int argc, char** argv);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_COMMAND_LINE_H_

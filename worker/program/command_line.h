// The worker's command line.
#ifndef FAIRLAP_WORKER_PROGRAM_COMMAND_LINE_H_
#define FAIRLAP_WORKER_PROGRAM_COMMAND_LINE_H_

#include <filesystem>
#include <ostream>
#include <string>
#include <variant>

namespace fairlap::program {

struct CommandLine {
  std::filesystem::path config;
  std::filesystem::path data, scratch;  // "" if not given
  std::filesystem::path results;
  std::filesystem::path termination_message;  // "": none is written
  std::string listen;                         // "": no HTTP endpoint
  std::filesystem::path address_file;         // "": none is written
  bool exit_with_parent = false;
  int linger_seconds = 0;
  bool log_report = false;
  std::filesystem::path mllog;  // "": none is written; "-": to standard output
};

// The command line, or the code to exit with: after --help or --version, said on `out`, or after a
// wrong one, said on `err`.
std::variant<CommandLine, int> ParseCommandLine(int argc, const char* const* argv,
                                                const std::string& version, std::ostream& out,
                                                std::ostream& err);

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_COMMAND_LINE_H_

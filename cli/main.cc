#include "cli/command_line.h"

int main(int argc, char** argv) {
  const auto line = fairlap::cli::ParseCommandLine(argc, argv);
  return line.action ? line.action() : line.exit_code;
}

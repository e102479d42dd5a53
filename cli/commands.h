// The subcommands: what each is told on the command line, and the function that does it and returns
// the exit code.
#ifndef FAIRLAP_CLI_COMMANDS_H_
#define FAIRLAP_CLI_COMMANDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fairlap::cli {

enum ExitCode : int { kExitOk = 0, kExitFailed = 1, kExitUsage = 2, kExitInterrupted = 130 };

struct RunOptions {
  std::string file;
  std::vector<std::string> volumes;  // "claim=DIR"
  std::string out;                   // "": fairlap-out/NAME, or NAME in the results claim's folder
  bool overwrite = false;
  std::string worker;  // "": the one beside this program
  bool mllog = false;
};
int Run(const RunOptions& options);

struct ValidateOptions {
  std::string file;
};
int Validate(const ValidateOptions& options);

struct GenerateOptions {
  std::string format;
  std::string out;
  std::string from;  // "": drawn
  std::optional<int64_t> classes;
  int64_t images = 1000;
  uint64_t seed = 0;
  std::optional<int64_t> typical_width;
  bool overwrite = false;
};
int Generate(const GenerateOptions& options);

struct PackOptions {
  std::string data;
  std::string out;
  std::optional<int64_t> shard_bytes;
  uint64_t seed = 0;
  bool overwrite = false;
};
int Pack(const PackOptions& options);

struct ModelsOptions {
  std::string format = "text";
};
int Models(const ModelsOptions& options);

struct ReportOptions {
  std::string path;
  std::string format = "text";
  std::string table = "repeats";  // with csv
};
int Report(const ReportOptions& options);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_COMMANDS_H_

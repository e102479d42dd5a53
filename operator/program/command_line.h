// The operator's command line.
#ifndef FAIRLAP_OPERATOR_PROGRAM_COMMAND_LINE_H_
#define FAIRLAP_OPERATOR_PROGRAM_COMMAND_LINE_H_

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "operator/plan/plan.h"

namespace fairlap {

struct OperatorOptions {
  std::filesystem::path kubeconfig;  // "": the pod's service account
  std::string context;               // of the kubeconfig; "": its current one
  std::vector<std::string> namespaces;
  plan::Settings settings;
  std::string listen = "0.0.0.0:8080";
  int workers = 2;
  std::string log_level = "info";
};

// The options, or the code to exit with, after --help or a wrong command line.
std::variant<OperatorOptions, int> ParseOperatorCommandLine(int argc, const char* const* argv);

}  // namespace fairlap

#endif  // FAIRLAP_OPERATOR_PROGRAM_COMMAND_LINE_H_

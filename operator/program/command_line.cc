#include "operator/program/command_line.h"

#include <CLI/CLI.hpp>

namespace fairlap {
namespace {

constexpr int kUsage = 2;

constexpr char kDescription[] =
    "Runs BenchmarkRuns on a Kubernetes cluster: plans their jobs, follows them, keeps results.\n";

constexpr char kFooter[] =
    "\nGET /metrics (Prometheus), /healthz and /readyz are served at --listen.\n"
    "SIGTERM and SIGINT end it within 30 seconds; runs go on and are taken up at the next start.\n"
    "\nExamples:\n"
    "  fairlap-operator --kubeconfig ~/.kube/config --namespace bench\n"
    "  fairlap-operator --worker-image registry.example.com/fairlap-worker:0.1.0   (in a pod)";

void AddOptions(OperatorOptions& options, CLI::App& app) {
  app.add_option("--kubeconfig", options.kubeconfig,
                 "Kubeconfig file; if not given the service account of the pod it runs in")
      ->type_name("FILE");
  app.add_option("--context", options.context, "Context of the kubeconfig, instead of its current")
      ->type_name("NAME");
  app.add_option("--namespace", options.namespaces,
                 "Namespace to look after; may be repeated; if not given, every one")
      ->type_name("NAME")
      ->take_all();
  app.add_option("--worker-image", options.settings.worker_image,
                 "Image of runs that name none in spec.software.image")
      ->type_name("IMAGE")
      ->capture_default_str();
  app.add_option("--worker-port", options.settings.worker_port,
                 "Port of a worker's /metrics and /v1/progress")
      ->check(CLI::Range(1, 65535))
      ->type_name("PORT")
      ->capture_default_str();
  app.add_option("--listen", options.listen, "ADDRESS:PORT of metrics and health")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str();
  app.add_option("--workers", options.workers, "Runs that are worked on at once")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--log-level", options.log_level, "debug, info, warning or error")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->type_name("LEVEL")
      ->capture_default_str();
}

}  // namespace

std::variant<OperatorOptions, int> ParseOperatorCommandLine(int argc, const char* const* argv) {
  OperatorOptions options;
  CLI::App app(kDescription, "fairlap-operator");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("fairlap-operator ") + FAIRLAP_VERSION);
  AddOptions(options, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  return options;
}

}  // namespace fairlap

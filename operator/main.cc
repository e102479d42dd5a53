// The operator: wires the client, the controller and the HTTP endpoint together.
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <random>
#include <utility>

#include "lib/base/random.h"
#include "lib/base/stop_signals.h"
#include "lib/http/server.h"
#include "lib/log/json_lines.h"
#include "operator/control/controller.h"
#include "operator/control/counting_transport.h"
#include "operator/kube/cpprest_transport.h"
#include "operator/program/command_line.h"

namespace fairlap {
namespace {

constexpr int kFailed = 1;

std::optional<std::string> Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

base::Result<std::unique_ptr<kube::Transport>> Connect(const OperatorOptions& options) {
  auto credentials = options.kubeconfig.empty()
                         ? kube::ReadServiceAccount(Environment)
                         : kube::ReadKubeconfig(options.kubeconfig, options.context);
  if (!credentials) return tl::unexpected(credentials.error());
  spdlog::info("API server {}", credentials->server);
  return kube::MakeCpprestTransport(std::move(*credentials));
}

control::ControllerOptions MakeControllerOptions(const OperatorOptions& options) {
  std::random_device entropy;
  control::ControllerOptions made;
  made.namespaces = options.namespaces;
  made.settings = options.settings;
  made.workers = options.workers;
  made.seed = base::MixSeeds(entropy(), entropy());
  return made;
}

http::Routes MakeRoutes(control::Controller& controller) {
  return {{"/metrics",
           [&controller] {
             return http::Reply{200, http::kExposition, controller.MetricsText()};
           }},
          {"/healthz",
           [] {
             return http::Reply{200, http::kPlainText, "ok\n"};
           }},
          {"/readyz", [&controller] {
             if (controller.synced()) return http::Reply{200, http::kPlainText, "ok\n"};
             return http::Reply{503, http::kPlainText, "the first lists are not complete\n"};
           }}};
}

int Fail(const base::Error& error) {
  spdlog::error("{}", error.message);
  return kFailed;
}

int Run(const OperatorOptions& options) {
  auto transport = Connect(options);
  if (!transport) return Fail(transport.error());
  control::Metrics metrics;
  control::CountingTransport counting(**transport, metrics);
  kube::Client client(counting);
  control::Controller controller(MakeControllerOptions(options), client, metrics,
                                 base::SystemClock());
  const auto server = http::Server::Start(options.listen, MakeRoutes(controller));
  if (!server) return Fail(server.error());
  spdlog::info("metrics and health on http://{}", (*server)->address());
  base::WaitForStopSignal();
  spdlog::info("stopping; runs go on without the operator until it is back");
  return 0;  // the destructors drain
}

}  // namespace
}  // namespace fairlap

int main(int argc, char** argv) {
  const auto parsed = fairlap::ParseOperatorCommandLine(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const auto& options = std::get<fairlap::OperatorOptions>(parsed);
  fairlap::log::LogJsonLines();
  spdlog::set_level(spdlog::level::from_str(options.log_level));
  fairlap::base::BlockStopSignals();
  return fairlap::Run(options);
}

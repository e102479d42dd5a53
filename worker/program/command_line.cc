#include "worker/program/command_line.h"

#include <CLI/CLI.hpp>

#include "worker/program/exit_codes.h"

namespace fairlap::program {
namespace {

constexpr char kDescription[] =
    "Trains one repeat of a BenchmarkRun and measures where its time goes.\n"
    "Normally started by 'fairlap run' or by the operator; both write the RunConfig for it.\n";

constexpr char kFooter[] =
    "\nWhile it runs, GET /metrics (Prometheus), /v1/progress (JSON) and /healthz are served.\n"
    "It leaves RESULTS/<job>/report.json and, if asked, a termination message with the figures.\n"
    "SIGINT and SIGTERM end it within two seconds with everything measured so far.\n"
    "\nExit codes: 0 succeeded, 1 failed, 2 wrong command line or RunConfig, 130 interrupted.\n"
    "\nExample:\n"
    "  fairlap-worker --config run.yaml --data /data --results out --listen 127.0.0.1:0 \\\n"
    "    --address-file out/address\n"
    "  curl http://$(cat out/address)/v1/progress\n";

void AddOptions(CommandLine& line, CLI::App& app) {
  app.add_option("--config", line.config, "The RunConfig, a YAML file")->required();
  app.add_option("--data", line.data, "Folder of the data volume; not needed for synthetic data");
  app.add_option("--scratch", line.scratch,
                 "Folder of the scratch volume; needed for staging copy");
  app.add_option("--results", line.results, "Folder that gets <job>/report.json")->required();
  app.add_option("--termination-message", line.termination_message,
                 "File that gets the summary, at most 4096 bytes of JSON");
  app.add_option("--listen", line.listen,
                 "ADDRESS:PORT of the HTTP endpoint; port 0 takes a free one; without this "
                 "option there is no endpoint");
  app.add_option("--address-file", line.address_file,
                 "File that gets the endpoint's ADDRESS:PORT once it listens");
  app.add_option("--linger", line.linger_seconds,
                 "After the end, serve the final metrics until they are scraped once, at most so "
                 "many seconds")
      ->check(CLI::Range(0, 600));
  app.add_flag("--log-report", line.log_report,
               "At the end, write the compacted report to standard output, in lines that "
               "the operator finds in the pod's log");
  app.add_option("--mllog", line.mllog,
                 "File that gets MLPerf's log lines (:::MLLOG); - writes them to standard output");
  app.add_flag("--exit-with-parent", line.exit_with_parent,
               "End as if interrupted when the process that started this one ends");
}

}  // namespace

std::variant<CommandLine, int> ParseCommandLine(int argc, const char* const* argv,
                                                const std::string& version, std::ostream& out,
                                                std::ostream& err) {
  CommandLine line;
  CLI::App app(kDescription, "fairlap-worker");
  app.footer(kFooter);
  app.set_version_flag("--version", "fairlap-worker " + version);
  AddOptions(line, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, out, err);
    return code == 0 ? kSucceeded : kUsage;
  }
  return line;
}

}  // namespace fairlap::program

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/manifest_input.h"
#include "cli/run_session.h"
#include "cli/volumes.h"
#include "lib/base/file.h"
#include "lib/base/random.h"
#include "lib/report/document.h"

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;

constexpr char kWorkerName[] = "fairlap-worker";
constexpr char kDefaultOut[] = "fairlap-out";

// All that a run needs, checked.
struct Prepared {
  api::RunManifest manifest;
  LocalVolumes volumes;
  fs::path out;
  fs::path worker;
};

base::Result<fs::path> FindWorker(const std::string& flag) {
  std::error_code ignored;
  const fs::path worker =
      !flag.empty() ? fs::absolute(flag, ignored)
                    : fs::read_symlink("/proc/self/exe", ignored).parent_path() / kWorkerName;
  if (::access(worker.c_str(), X_OK) == 0) return worker;
  return base::MakeError(ErrorKind::kNotFound,
                         worker.string() + ": cannot be run: " + base::SystemMessage(errno) +
                             "; build the worker or give --worker PATH");
}

base::Result<api::RunManifest> LoadOne(const std::string& file) {
  ManifestInput input = LoadManifests(file);
  if (!input.problems.empty()) {
    input.problems.pop_back();  // the last line's end
    return base::MakeError(ErrorKind::kInvalidInput, input.problems);
  }
  std::fputs(input.warnings.c_str(), stderr);
  if (input.manifests.size() == 1) return std::move(input.manifests[0]);
  return base::MakeError(ErrorKind::kInvalidInput,
                         file + ": holds " + std::to_string(input.manifests.size()) +
                             " runs; a local run takes a file with exactly one");
}

base::Result<Prepared> Prepare(const RunOptions& flags) {
  auto manifest = LoadOne(flags.file);
  if (!manifest) return tl::unexpected(manifest.error());
  auto named = ParseVolumes(flags.volumes);
  if (!named) return tl::unexpected(named.error());
  auto volumes = ResolveVolumes(manifest->spec.storage, *named);
  if (!volumes) return tl::unexpected(volumes.error());
  auto worker = FindWorker(flags.worker);
  if (!worker) return tl::unexpected(worker.error());
  fs::path out = flags.out;
  if (out.empty()) out = volumes->results.value_or(kDefaultOut) / manifest->name;
  return Prepared{std::move(*manifest), std::move(*volumes), std::move(out), std::move(*worker)};
}

void Announce(const api::RunManifest& manifest, Terminal& terminal) {
  terminal.Print(manifest.name + ": " + DescribeRun(manifest));
  std::string ignored;
  for (const std::string& field : ClusterOnlyFields(manifest.spec)) ignored += " " + field;
  if (!ignored.empty()) terminal.PrintError("Not applied on this machine:" + ignored);
}

plan::ObservedRun MakeRun(const api::RunManifest& manifest, base::Random& random,
                          const base::Clock& clock) {
  plan::ObservedRun run;
  run.name = manifest.name;
  run.ns = manifest.ns;
  run.uid = "local-" + std::to_string(random.Below(api::kMaxSafeInteger));
  run.created = clock.WallNow();
  run.spec = manifest.spec;
  return run;
}

int Finish(const SessionResult& result, const OutFolder& out, Terminal& terminal) {
  terminal.Print("\n" + report::ToText(report::MakeDocument(result.report)));
  if (!result.carried_out) {
    terminal.PrintError("error: " + result.carried_out.error().message);
  }
  if (result.written) {
    terminal.Print("Report: " + out.report_file().string());
  } else {
    terminal.PrintError(
        "error: " + result.written.error().message +
        "\nThe table above holds the figures; what workers could write is kept in " +
        out.repeats().string());
  }
  if (!result.written || !result.carried_out) return kExitFailed;
  if (result.signal) return kExitInterrupted;
  return result.report.status.state == "Complete" ? kExitOk : kExitFailed;
}

}  // namespace

int Run(const RunOptions& flags) {
  Signals signals;  // before any other thread
  const base::Clock& clock = base::SystemClock();
  Terminal terminal(clock);
  auto prepared = Prepare(flags);
  if (!prepared) {
    terminal.PrintError(prepared.error().message);
    return kExitFailed;
  }
  auto out = OutFolder::Open(prepared->out, prepared->manifest.name, flags.overwrite);
  if (!out) {
    terminal.PrintError("error: " + out.error().message);
    return kExitFailed;
  }
  std::random_device entropy;
  base::Random random(base::MixSeeds(entropy(), entropy()));
  Announce(prepared->manifest, terminal);
  LocalExecutor executor({prepared->worker, prepared->volumes.data, flags.mllog}, *out, clock);
  plan::ObservedRun run = MakeRun(prepared->manifest, random, clock);
  const auto fresh_seed = static_cast<int64_t>(random.Below(api::kMaxSafeInteger));
  RunSession session(std::move(run), fresh_seed, executor, *out, signals, terminal, clock);
  return Finish(session.Run(), *out, terminal);
}

}  // namespace fairlap::cli

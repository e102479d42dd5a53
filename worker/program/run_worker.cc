#include "worker/program/run_worker.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "lib/base/file.h"
#include "lib/http/server.h"
#include "lib/log/json_lines.h"
#include "lib/report/documents.h"
#include "worker/measure/build_facts.h"
#include "worker/measure/cgroup.h"
#include "worker/measure/process.h"
#include "worker/program/command_line.h"
#include "worker/program/config.h"
#include "worker/program/exit_codes.h"
#include "worker/program/finish.h"
#include "worker/program/interruption.h"
#include "worker/program/io_deadline.h"
#include "worker/program/memory_guard.h"
#include "worker/program/mllog_file.h"
#include "worker/report/live_metrics.h"
#include "worker/report/mllog.h"
#include "worker/report/recorder.h"
#include "worker/report/report_writer.h"
#include "worker/report/tee.h"
#include "worker/storage/io_watch.h"

namespace fairlap::program {
namespace {

report::Ending WasInterrupted() {
  return {api::Outcome::kInterrupted, "Interrupted", "stopped by a signal"};
}

// Without running destructors: threads of libraries and slow clients must not hold up the end, and
// all that has to be kept is written.
[[noreturn]] void Exit(int code) {
  std::cout.flush();
  std::cerr.flush();
  std::_Exit(code);
}

[[noreturn]] void ExitUnused(const CommandLine& line, const base::Error& error,
                             const std::string& reason, ExitCode code = kUsage) {
  std::cerr << error.message << '\n';
  WriteFailure(line.termination_message, {api::Outcome::kFailed, reason, error.message});
  Exit(code);
}

CommandLine ParseOrExit(int argc, const char* const* argv, const measure::BuildFacts& build) {
  const std::string version = build.version + " (" + build.git_revision + ")";
  auto parsed = ParseCommandLine(argc, argv, version, std::cout, std::cerr);
  if (const int* code = std::get_if<int>(&parsed)) Exit(*code);
  return std::get<CommandLine>(std::move(parsed));
}

api::RunConfig ReadConfigOrExit(const CommandLine& line) {
  base::Result<api::RunConfig> config = ReadRunConfig(line.config);
  if (!config) ExitUnused(line, config.error(), "InvalidConfig");
  if (config->problem.dataset.format != api::DatasetFormat::kSynthetic && line.data.empty()) {
    ExitUnused(line, {base::ErrorKind::kInvalidInput, "--data is needed for this data set"},
               "InvalidConfig");
  }
  if (config->staging == api::Staging::kCopy && line.scratch.empty()) {
    ExitUnused(line, {base::ErrorKind::kInvalidInput, "--scratch is needed for staging copy"},
               "InvalidConfig");
  }
  return *std::move(config);
}

// Better known now than after hours of training.
void ProbeResultsOrExit(const CommandLine& line, const std::filesystem::path& report) {
  const base::Status written = ProbeResults(report);
  if (!written) ExitUnused(line, written.error(), kResultsNotWritten, kFailed);
}

// MLPerf's log lines, where they are asked for.
class MlLogging {
 public:
  MlLogging(const CommandLine& line, const api::RunConfig& config, base::WallTime started) {
    if (line.mllog.empty()) return;
    auto file = MlLogFile::Open(line.mllog);
    if (!file) ExitUnused(line, file.error(), kResultsNotWritten, kFailed);
    file_.emplace(*std::move(file));
    log_.emplace(config, started, base::SystemClock(),
                 [this](std::string_view text) { file_->Write(text); });
    if (!file_->status()) ExitUnused(line, file_->status().error(), kResultsNotWritten, kFailed);
  }
  MlLogging(const MlLogging&) = delete;
  MlLogging& operator=(const MlLogging&) = delete;

  // Calls use(observer) with one that tells both this and `recorder`.
  template <class Use>
  auto With(train::Observer& recorder, Use use) {
    if (!log_) return use(recorder);
    report::Tee both(recorder, *log_);
    return use(both);
  }

  base::Status End(api::Outcome outcome) {
    if (!log_) return {};
    log_->Stop(outcome);
    return file_->status();
  }

 private:
  std::optional<MlLogFile> file_;
  std::optional<report::MlLog> log_;
};

// Lets the last scrape see the final figures.
class Linger {
 public:
  bool ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }

  void OnScraped() {
    {
      const std::lock_guard lock(mutex_);
      scraped_ = true;
    }
    changed_.notify_all();
  }

  void WaitForScrape(std::chrono::seconds at_most, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    ended_ = true;
    changed_.wait_for(lock, stop, at_most, [this] { return scraped_; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool ended_ = false, scraped_ = false;
};

std::unique_ptr<http::Server> ListenOrExit(const CommandLine& line, http::Routes routes) {
  if (line.listen.empty()) return nullptr;
  auto server = http::Server::Start(line.listen, std::move(routes));
  if (!server) ExitUnused(line, server.error(), "CannotListen");
  spdlog::info("listening on http://{}", (*server)->address());
  if (line.address_file.empty()) return *std::move(server);
  const auto written = base::WriteFileAtomically(line.address_file, (*server)->address() + "\n");
  if (!written) ExitUnused(line, written.error(), "CannotListen");
  return *std::move(server);
}

void WarnOfEarlierReport(const std::filesystem::path& report) {
  std::error_code ignored;
  if (std::filesystem::exists(report, ignored)) {
    spdlog::warn("{} is there already and will be replaced at the end", report.string());
  }
}

report::Environment Observe(const CommandLine& line, const api::RunConfig& config,
                            const Trainer& trainer, const measure::BuildFacts& build,
                            int64_t compute_threads) {
  const storage::IoScope scope("look up", line.data.native());
  measure::EnvironmentRequest request;
  request.framework = trainer.framework;
  request.build = build;
  request.data = line.data;
  request.compute_threads = compute_threads;
  request.input_threads = config.software.input.threads;
  report::Environment environment = measure::ObserveEnvironment(request);
  for (const std::string& warning : environment.warnings) spdlog::warn("{}", warning);
  return environment;
}

report::Ending EndingOf(const base::Result<std::optional<bool>>& target_reached) {
  if (!target_reached) {
    const base::Error& error = target_reached.error();
    if (error.kind == base::ErrorKind::kInterrupted) return WasInterrupted();
    return {api::Outcome::kFailed, ReasonOf(error.kind), error.message};
  }
  if (*target_reached == std::optional(false)) {
    return {api::Outcome::kFailed, "TargetNotReached",
            "stop.accuracy.maxEpochs passed without reaching the target"};
  }
  return {api::Outcome::kSucceeded, "", ""};
}

}  // namespace

void RunWorker(int argc, const char* const* argv, const Trainer& trainer) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no more is one that cannot be written
  log::LogJsonLines();
  const base::WallTime started = measure::ProcessStartTime(base::SystemClock());
  const measure::BuildFacts build = measure::ObserveBuildFacts();
  const CommandLine line = ParseOrExit(argc, argv, build);
  if (line.exit_with_parent) ExitWithParent();
  const api::RunConfig config = ReadConfigOrExit(line);
  IoDeadline io_deadline(std::chrono::seconds(config.software.input.io_timeout_seconds),
                         [&line](const std::string& message) {
                           ExitUnused(line, {base::ErrorKind::kIo, message}, kIoTimeout, kFailed);
                         });

  report::LiveMetrics metrics(config);
  report::Recorder recorder(config, base::SystemClock(), started, measure::FetchedBytes, metrics);
  const int64_t compute_threads =
      measure::ComputeThreads(measure::AffinityCpus(), measure::ObserveCgroupLimits("/").cpu_quota);
  const auto report_file = report::ReportPath(line.results, config.identity.job);
  ProbeResultsOrExit(line, report_file);
  WarnOfEarlierReport(report_file);
  MlLogging mllog(line, config, started);
  const FinishPaths paths{report_file, line.termination_message, line.log_report,
                          [&mllog](api::Outcome outcome) { return mllog.End(outcome); }};
  const report::Environment environment = Observe(line, config, trainer, build, compute_threads);
  if (config.device == api::Device::kCpu) GuardMemory(environment.memory_limit_bytes);
  Finisher finisher(recorder, paths, environment, measure::ObserveDisturbance());
  const std::stop_token stop = WatchSignals([&] {
    if (finisher.Claim()) Exit(finisher.Finish(WasInterrupted()));
  });

  Linger linger;
  const auto server = ListenOrExit(
      line,
      {{"/metrics",
        [&] {
          http::Reply reply{200, http::kExposition, {}};
          // Asked before the text is made: only figures of after the end are final.
          if (linger.ended()) reply.on_sent = [&] { linger.OnScraped(); };
          reply.body = metrics.Text();
          return reply;
        }},
       {"/v1/progress",
        [&] {
          return http::Reply{200, http::kJson, report::ToJson(recorder.Progress()).dump() + "\n"};
        }},
       {"/healthz", [] {
          return http::Reply{200, http::kPlainText, "ok\n"};
        }}});

  const auto end = [&](const report::Ending& ending) {
    if (ending.outcome == api::Outcome::kFailed) spdlog::error("{}", ending.message);
    const int code = finisher.Finish(ending);
    recorder.OnFinished();
    if (server) linger.WaitForScrape(std::chrono::seconds(line.linger_seconds), stop);
    Exit(code);
  };
  io_deadline.Tell([&](const std::string& message) {
    if (finisher.Claim()) end({api::Outcome::kFailed, kIoTimeout, message});
  });

  const auto trained = mllog.With(recorder, [&](train::Observer& observer) {
    return trainer.train(config, {line.data, line.scratch}, compute_threads, observer, stop);
  });
  // Else another thread was first, and ends the process.
  while (!finisher.Claim()) pause();
  end(EndingOf(trained));
  std::abort();  // not reached: `end` ends the process
}

}  // namespace fairlap::program

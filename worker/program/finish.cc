#include "worker/program/finish.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "lib/report/log_report.h"
#include "worker/program/exit_codes.h"
#include "worker/program/memory_guard.h"
#include "worker/report/report_writer.h"

namespace fairlap::program {
namespace {

void WriteMessage(const std::filesystem::path& path, const api::WorkerSummary& summary) {
  if (path.empty()) return;
  const std::string text = report::MakeTerminationMessage(summary);
  if (const base::Status written = report::WriteTerminationMessage(path, text); !written) {
    spdlog::error("the termination message is lost: {}", written.error().message);
  }
}

int CodeOf(api::Outcome outcome) {
  if (outcome == api::Outcome::kSucceeded) return kSucceeded;
  return outcome == api::Outcome::kInterrupted ? kInterrupted : kFailed;
}

void WriteToLog(const report::RankReport& report) {
  const std::string lines = report::ToLogLines(report::Pack(report));
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  std::fflush(stdout);
}

// An interrupted or failed repeat keeps its own outcome; the lost report is said beside it.
void SayNotWritten(const base::Error& error, api::WorkerSummary& summary) {
  spdlog::error("the report is not written: {}", error.message);
  if (summary.outcome == api::Outcome::kSucceeded) summary.outcome = api::Outcome::kFailed;
  summary.reason = kResultsNotWritten;
  const std::string lost = "the report is not written: " + error.message;
  summary.message = summary.message.empty() ? lost : lost + "; " + summary.message;
}

}  // namespace

Finisher::Finisher(const report::Recorder& recorder, FinishPaths paths,
                   report::Environment environment, measure::Disturbance before)
    : recorder_(recorder),
      paths_(std::move(paths)),
      environment_(std::move(environment)),
      before_(before) {}

bool Finisher::Claim() { return !claimed_.exchange(true); }

int Finisher::Finish(report::Ending ending) const {
  LiftMemoryGuard();
  report::RankReport report = MakeReport(ending);
  WriteMessage(paths_.termination_message, report.summary);
  base::Status written = paths_.end_logs ? paths_.end_logs(ending.outcome) : base::Status();
  if (written) written = report::WriteReport(paths_.report, report);
  if (!written) {
    SayNotWritten(written.error(), report.summary);
    WriteMessage(paths_.termination_message, report.summary);
  }
  if (paths_.log_report) WriteToLog(report);
  return CodeOf(report.summary.outcome);
}

report::RankReport Finisher::MakeReport(const report::Ending& ending) const {
  report::RankReport report = recorder_.Snapshot(ending);
  report.environment = environment_;
  measure::AddDisturbance(before_, measure::ObserveDisturbance(),
                          static_cast<double>(sysconf(_SC_CLK_TCK)), report.environment);
  return report;
}

base::Status ProbeResults(const std::filesystem::path& report) {
  const std::filesystem::path probe = report.parent_path() / ".probe";
  if (auto written = base::WriteFileAtomically(probe, "."); !written) return written;
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  return {};
}

void WriteFailure(const std::filesystem::path& termination_message, const report::Ending& ending) {
  api::WorkerSummary summary;
  summary.outcome = ending.outcome;
  summary.reason = ending.reason;
  summary.message = ending.message;
  WriteMessage(termination_message, summary);
}

std::string ReasonOf(base::ErrorKind kind) {
  std::string reason(base::Name(kind));
  if (!reason.empty()) reason[0] = static_cast<char>(std::toupper(reason[0]));
  return reason;
}

}  // namespace fairlap::program

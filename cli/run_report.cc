#include "cli/run_report.h"

#include <utility>

#include "lib/base/number.h"
#include "lib/report/files.h"
#include "operator/plan/attempts.h"

namespace fairlap::cli {
namespace {

using api::Outcome;
using base::EnumName;
using base::FormatNumber;

WorkerReports ReadReports(const OutFolder& out, const std::string& job) {
  auto rank = report::ReadRankReport(out.RepeatFolder(job));
  if (!rank) return {{}, "the worker left no report: " + rank.error().message};
  WorkerReports reports;
  reports.ranks.push_back(std::move(*rank));
  return reports;
}

report::AttemptReport MakeAttempt(const api::AttemptStatus& attempt, const ReportsByJob& reports) {
  report::AttemptReport report;
  report.attempt = attempt.attempt;
  report.outcome = attempt.outcome;
  report.message = attempt.message.value_or("");
  const auto found = reports.find(attempt.job);
  if (found == reports.end()) return report;
  report.ranks = found->second.ranks;
  if (!found->second.problem.empty()) {
    report.message += (report.message.empty() ? "" : "; ") + found->second.problem;
  }
  return report;
}

std::string Figures(const api::RepeatFigures& figures) {
  std::string text;
  auto add = [&text](const char* before, const std::optional<double>& value, const char* after) {
    if (value) text += ", " + (before + FormatNumber(*value)) + after;
  };
  add("", figures.samples_per_second, " images/s");
  add("stall ratio ", figures.data_stall_ratio, "");
  if (figures.bottleneck != api::Bottleneck::kNotMeasured) {
    text += ", bottleneck " + std::string(EnumName(figures.bottleneck)) + " (" +
            figures.bottleneck_reason.value_or("") + ")";
  }
  if (figures.first_loss && figures.final_loss) {
    text +=
        ", loss " + FormatNumber(*figures.first_loss) + " to " + FormatNumber(*figures.final_loss);
  }
  add("top-1 ", figures.top1, "");
  add("PSNR ", figures.psnr_decibels, " dB");
  add("", figures.time_to_results_seconds, " s");
  return text;
}

}  // namespace

bool ReadWorkerReports(const api::RunStatus& status, const OutFolder& out, ReportsByJob& reports) {
  bool any = false;
  for (const api::RepeatStatus& repeat : status.repeats) {
    for (const api::AttemptStatus& attempt : repeat.attempts) {
      if (!plan::IsOver(attempt.outcome) || reports.contains(attempt.job)) continue;
      reports.emplace(attempt.job, ReadReports(out, attempt.job));
      any = true;
    }
  }
  return any;
}

report::RunReport MakeRunReport(const plan::ObservedRun& run, const ReportsByJob& reports) {
  report::RunReport report;
  report.name = run.name;
  report.ns = run.ns;
  report.uid = run.uid;
  report.spec = run.spec;
  report.status = run.status;
  for (const api::RepeatStatus& repeat : run.status.repeats) {
    report::RepeatReport& made = report.repeats.emplace_back();
    made.name = repeat.name;
    made.warmup = repeat.warmup;
    for (const api::AttemptStatus& attempt : repeat.attempts) {
      made.attempts.push_back(MakeAttempt(attempt, reports));
    }
  }
  return report;
}

std::string DescribeRepeat(const api::RunStatus& status, size_t position) {
  const api::RepeatStatus& repeat = status.repeats[position];
  std::string text = "repeat " + std::to_string(position + 1) + "/" +
                     std::to_string(status.repeats.size()) +
                     (repeat.warmup ? " (warm-up, not counted)" : "") + ": " +
                     std::string(EnumName(repeat.outcome));
  if (repeat.figures) text += Figures(*repeat.figures);
  if (repeat.outcome != Outcome::kSucceeded && !repeat.attempts.empty()) {
    const api::AttemptStatus& last = repeat.attempts.back();
    if (last.message) text += ": " + *last.message;
  }
  return text;
}

}  // namespace fairlap::cli

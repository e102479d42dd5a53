#include "worker/report/report_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "lib/base/codec.h"
#include "lib/base/file.h"
#include "lib/base/text.h"
#include "lib/report/documents.h"
#include "lib/report/files.h"

namespace fairlap::report {
namespace {

constexpr size_t kMaxMessageBytes = 1024;
constexpr size_t kMaxReasonBytes = 64;

std::string Compact(const api::WorkerSummary& summary) {
  return base::Encode(summary).dump(-1, ' ', false, base::Json::error_handler_t::replace);
}

bool Fits(const std::string& text) {
  return text.size() <= static_cast<size_t>(api::kTerminationMessageMaxBytes);
}

void DropStallDetails(api::WorkerSummary& summary) {
  const api::StallState state = summary.figures.stall_analysis.state;
  summary.figures.stall_analysis = {};
  summary.figures.stall_analysis.state = state;
  summary.figures.bottleneck_reason.reset();
}

// Without the cache preparation, which whoever reads this takes off the times.
void DropStages(api::WorkerSummary& summary) {
  api::StageSeconds kept;
  kept.cache_prepare = summary.figures.stage_seconds.cache_prepare;
  summary.figures.stage_seconds = kept;
}

void DropStepTimes(api::WorkerSummary& summary) {
  api::RepeatFigures& figures = summary.figures;
  figures.step_seconds_p50.reset();
  figures.step_seconds_p95.reset();
  figures.step_seconds_p99.reset();
  figures.step_seconds_jitter.reset();
  figures.step_seconds_block_error.reset();
  figures.step_seconds_block_variation.reset();
}

void DropMarks(api::WorkerSummary& summary) { summary.marks = {}; }

}  // namespace

std::filesystem::path ReportPath(const std::filesystem::path& results, const std::string& job) {
  return results / job / kReportFile;
}

base::Status WriteReport(const std::filesystem::path& path, const RankReport& report) {
  return base::WriteFileAtomically(path, ToJsonText(base::Encode(report)));
}

std::string MakeTerminationMessage(api::WorkerSummary summary) {
  summary.reason = base::Prefix(summary.reason, kMaxReasonBytes);
  summary.message = base::Prefix(summary.message, kMaxMessageBytes);
  std::string text = Compact(summary);
  for (const auto drop : std::array{DropStallDetails, DropStages, DropStepTimes, DropMarks}) {
    if (Fits(text)) return text;
    drop(summary);
    text = Compact(summary);
  }
  while (!Fits(text) && !summary.message.empty()) {
    summary.message = base::Prefix(summary.message, summary.message.size() / 2);
    text = Compact(summary);
  }
  return text;
}

base::Status WriteTerminationMessage(const std::filesystem::path& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  if (file >= 0) ::close(file);
  if (written) return {};
  return base::MakeError(base::ErrorKind::kIo,
                         path.string() + ": cannot write: " + base::SystemMessage(error));
}

}  // namespace fairlap::report

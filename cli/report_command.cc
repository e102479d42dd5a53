#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "lib/base/codec.h"
#include "lib/report/document.h"
#include "lib/report/documents.h"
#include "lib/report/files.h"
#include "lib/report/tables.h"

namespace fairlap::cli {
namespace {

std::string Print(const report::RunReport& report, const ReportOptions& options) {
  if (options.format == "json") return report::ToJsonText(base::Encode(report));
  if (options.format == "markdown") return report::ToMarkdown(report::MakeDocument(report));
  if (options.format == "text") return report::ToText(report::MakeDocument(report));
  if (options.table == "repeats") return report::ToCsv(report::MakeRepeatsTable(report));
  if (options.table == "summary") return report::ToCsv(report::MakeSummaryTable(report));
  return report::ToCsv(report::MakeEpochsTable(report));
}

}  // namespace

int Report(const ReportOptions& options) {
  const auto report = report::ReadRunReport(options.path);
  if (!report) {
    std::fprintf(stderr, "error: %s\n", report.error().message.c_str());
    return kExitFailed;
  }
  const std::string text = Print(*report, options);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return kExitOk;
  std::perror("error: cannot write the report");
  return kExitFailed;
}

}  // namespace fairlap::cli

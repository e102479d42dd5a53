#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/print.h"
#include "lib/base/codec.h"
#include "lib/report/document.h"
#include "lib/report/documents.h"
#include "lib/report/files.h"
#include "lib/report/tables.h"

namespace fairlap::cli {
namespace {

std::string AsText(const report::RunReport& report, const ReportOptions& options) {
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
  return Print(AsText(*report, options), "the report");
}

}  // namespace fairlap::cli

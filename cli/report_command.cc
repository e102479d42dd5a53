#include <cstdio>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/print.h"
#include "lib/base/codec.h"
#include "lib/report/any_report.h"
#include "lib/report/document.h"
#include "lib/report/documents.h"
#include "lib/report/files.h"
#include "lib/report/tables.h"

namespace fairlap::cli {
namespace {

base::Json AsJson(const report::AnyReport& report) {
  return std::visit([](const auto& any) { return base::Encode(any); }, report);
}

report::RunReport AsRun(report::AnyReport report) {
  if (auto* rank = std::get_if<report::RankReport>(&report)) return report::AsRun(std::move(*rank));
  return std::get<report::RunReport>(std::move(report));
}

std::string AsText(report::AnyReport any, const ReportOptions& options) {
  if (options.format == "json") return report::ToJsonText(AsJson(any));
  const report::RunReport report = AsRun(std::move(any));
  if (options.format == "markdown") return report::ToMarkdown(report::MakeDocument(report));
  if (options.format == "text") return report::ToText(report::MakeDocument(report));
  if (options.table == "repeats") return report::ToCsv(report::MakeRepeatsTable(report));
  if (options.table == "summary") return report::ToCsv(report::MakeSummaryTable(report));
  return report::ToCsv(report::MakeEpochsTable(report));
}

}  // namespace

int Report(const ReportOptions& options) {
  auto report = report::ReadAnyReport(options.path);
  if (report) return Print(AsText(*std::move(report), options), "the report");
  std::fprintf(stderr, "error: %s\n", report.error().message.c_str());
  return kExitFailed;
}

}  // namespace fairlap::cli

#include "lib/report/document.h"

#include "lib/base/text.h"
#include "lib/report/tables.h"

namespace fairlap::report {
namespace {

constexpr char kDefinitions[] =
    "Every figure is defined in docs/measurement.md. The input stall ratio means nothing without "
    "the "
    "images/s beside it.";

std::string Title(const RunReport& report) {
  return report.name + ": " + report.status.state.value_or("unknown");
}

}  // namespace

Document MakeDocument(const RunReport& report) {
  Document document;
  document.title = Title(report);
  auto add = [&document](std::string heading, Table table, std::vector<std::string> items = {}) {
    document.sections.push_back({std::move(heading), std::move(table), std::move(items)});
  };
  add("Repeats", MakeRepeatsTable(report));
  add("Where the time went: seconds of the whole repeat (* summed over the input threads)",
      MakeStagesTable(report), ExplainBottlenecks(report));
  add("Over the counted repeats", MakeSummaryTable(report));
  add("Warnings", {}, MakeWarnings(report));
  add("Checks", MakeChecksTable(report));
  add("Run", MakeRunTable(report));
  add("Environment", MakeEnvironmentTable(report));
  add("Definitions", {}, {kDefinitions});
  return document;
}

std::string ToMarkdown(const Document& document) {
  std::string text = "# " + EscapeMarkdown(document.title) + "\n";
  for (const Section& section : document.sections) {
    if (section.table.rows.empty() && section.items.empty()) continue;
    text += "\n## " + EscapeMarkdown(section.heading) + "\n\n";
    if (!section.table.rows.empty()) text += ToMarkdown(section.table);
    for (const std::string& item : section.items) text += "- " + EscapeMarkdown(item) + "\n";
  }
  return text;
}

std::string ToText(const Document& document) {
  std::string text = base::Printable(document.title) + "\n";
  for (const Section& section : document.sections) {
    if (section.table.rows.empty() && section.items.empty()) continue;
    text += "\n" + base::Printable(section.heading) + "\n";
    if (!section.table.rows.empty()) text += ToText(section.table);
    for (const std::string& item : section.items) text += "* " + base::Printable(item) + "\n";
  }
  return text;
}

}  // namespace fairlap::report

#include "cli/commands.h"
#include "cli/models_table.h"
#include "cli/print.h"
#include "lib/report/files.h"

namespace fairlap::cli {

int Models(const ModelsOptions& options) {
  const bool program = options.format == "json" || options.format == "csv";
  const report::Table table = MakeModelsTable(program ? Reader::kProgram : Reader::kPerson);
  std::string text;
  if (options.format == "json") text = report::ToJsonText(report::ToJson(table));
  if (options.format == "csv") text = report::ToCsv(table);
  if (options.format == "markdown") text = report::ToMarkdown(table);
  if (options.format == "text") text = report::ToText(table);
  return Print(text, "the table");
}

}  // namespace fairlap::cli

// A run's report as people read it: the result with its spread, and beside it the environment, the
// correctness checks and the warnings without which the numbers mean nothing.
#ifndef FAIRLAP_LIB_REPORT_DOCUMENT_H_
#define FAIRLAP_LIB_REPORT_DOCUMENT_H_

#include <string>
#include <vector>

#include "lib/report/report.h"
#include "lib/report/table.h"

namespace fairlap::report {

// A heading with a table, a list, or both; one without either is not printed.
struct Section {
  std::string heading;
  Table table;
  std::vector<std::string> items;
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

Document MakeDocument(const RunReport& report);

std::string ToMarkdown(const Document& document);
// For a terminal of any width: no line is wrapped here.
std::string ToText(const Document& document);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_DOCUMENT_H_

// The one table model behind every export: figures become tables once (tables.h), and each printer
// only lays them out.
#ifndef FAIRLAP_LIB_REPORT_TABLE_H_
#define FAIRLAP_LIB_REPORT_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lib/base/json.h"

namespace fairlap::report {

// monostate: not observed. Numbers stay numbers in every export; text is untrusted.
using Cell = std::variant<std::monostate, int64_t, double, std::string>;

template <class T>
Cell MakeCell(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

struct Column {
  std::string key;      // as in the report's JSON: the head of a CSV column
  std::string title;    // for people, with the unit
  bool detail = false;  // too much for people: CSV only
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as `columns`
};

// Every column, RFC 4180 with LF line ends; absent cells are empty. Text that a spreadsheet would
// take for a formula (it starts with = + - @, a tab or a return) gets an apostrophe in front.
std::string ToCsv(const Table& table);

// A list of an object a row, every column by its key; absent cells are left out.
base::Json ToJson(const Table& table);

// The columns that people want: details and columns without any value are left out; absent cells
// are "n/a". Text cannot break out of its cell: Markdown is escaped, control characters are
// replaced.
std::string ToMarkdown(const Table& table);
std::string ToText(const Table& table);

// Text from a file or a worker, made safe to print in Markdown.
std::string EscapeMarkdown(std::string_view text);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_TABLE_H_

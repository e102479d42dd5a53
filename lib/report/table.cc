#include "lib/report/table.h"

#include <algorithm>

#include "lib/base/number.h"
#include "lib/base/text.h"

namespace fairlap::report {
namespace {

bool IsAbsent(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }
bool IsText(const Cell& cell) { return std::holds_alternative<std::string>(cell); }

// `text` prints a text cell; `absent` stands for a missing one.
template <class TextPrinter>
std::string Print(const Cell& cell, std::string_view absent, TextPrinter text) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return base::FormatNumber(*number);
  if (const auto* string = std::get_if<std::string>(&cell)) return text(*string);
  return std::string(absent);
}

std::string EscapeCsv(std::string_view text) {
  std::string safe;
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != text.npos) safe = "'";
  safe += text;
  if (safe.find_first_of(",\"\r\n") == safe.npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// Indices of the columns that people see.
std::vector<size_t> VisibleColumns(const Table& table) {
  std::vector<size_t> visible;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const bool has_value = std::any_of(table.rows.begin(), table.rows.end(),
                                       [i](const auto& row) { return !IsAbsent(row[i]); });
    if (has_value && !table.columns[i].detail) visible.push_back(i);
  }
  return visible;
}

bool IsNumeric(const Table& table, size_t column) {
  return std::none_of(table.rows.begin(), table.rows.end(),
                      [column](const auto& row) { return IsText(row[column]); });
}

// The visible part as text, head first, with a flag for each column that is to be right-aligned.
struct Grid {
  std::vector<std::vector<std::string>> lines;
  std::vector<bool> right;
};

template <class TextPrinter>
Grid MakeGrid(const Table& table, TextPrinter text) {
  Grid grid;
  const std::vector<size_t> visible = VisibleColumns(table);
  auto& head = grid.lines.emplace_back();
  for (const size_t i : visible) {
    head.push_back(text(table.columns[i].title));
    grid.right.push_back(IsNumeric(table, i));
  }
  for (const auto& row : table.rows) {
    auto& line = grid.lines.emplace_back();
    for (const size_t i : visible) line.push_back(Print(row[i], "n/a", text));
  }
  return grid;
}

std::vector<int64_t> Widths(const Grid& grid) {
  std::vector<int64_t> widths(grid.right.size(), 3);
  for (const auto& line : grid.lines) {
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], base::CountCharacters(line[i]));
  }
  return widths;
}

std::string Pad(const std::string& text, int64_t width, bool right) {
  const std::string space(
      static_cast<size_t>(std::max<int64_t>(0, width - base::CountCharacters(text))), ' ');
  return right ? space + text : text + space;
}

}  // namespace

std::string EscapeMarkdown(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_{}[]<>#|~&!$@^";
  std::string safe;
  for (const char c : base::Printable(text)) {
    const bool starts_list = safe.empty() && (c == '-' || c == '+');
    if (starts_list || kSpecial.find(c) != kSpecial.npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string ToCsv(const Table& table) {
  std::string csv;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    csv += (i > 0 ? "," : "") + EscapeCsv(table.columns[i].key);
  }
  csv += '\n';
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i)
      csv += (i > 0 ? "," : "") + Print(row[i], "", EscapeCsv);
    csv += '\n';
  }
  return csv;
}

base::Json ToJson(const Table& table) {
  base::Json rows = base::Json::array();
  for (const auto& row : table.rows) {
    base::Json& object = rows.emplace_back(base::Json::object());
    for (size_t i = 0; i < row.size(); ++i) {
      if (const auto* integer = std::get_if<int64_t>(&row[i])) {
        object[table.columns[i].key] = *integer;
      } else if (const auto* number = std::get_if<double>(&row[i])) {
        object[table.columns[i].key] = base::RoundToSixDigits(*number);
      } else if (const auto* text = std::get_if<std::string>(&row[i])) {
        object[table.columns[i].key] = *text;
      }
    }
  }
  return rows;
}

std::string ToMarkdown(const Table& table) {
  const Grid grid = MakeGrid(table, EscapeMarkdown);
  std::string text;
  for (size_t i = 0; i < grid.lines.size(); ++i) {
    for (const std::string& cell : grid.lines[i]) text += "| " + cell + " ";
    text += "|\n";
    if (i > 0) continue;
    for (const bool right : grid.right) text += right ? "|---:" : "|:---";
    text += "|\n";
  }
  return text;
}

std::string ToText(const Table& table) {
  const Grid grid = MakeGrid(table, base::Printable);
  const std::vector<int64_t> widths = Widths(grid);
  std::string text;
  for (const auto& cells : grid.lines) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      line += (i > 0 ? "  " : "") + Pad(cells[i], widths[i], grid.right[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace fairlap::report

// How a table is put together: a list of columns, each with the function that makes its cell.
// Internal to this library.
#ifndef FAIRLAP_LIB_REPORT_FIELDS_H_
#define FAIRLAP_LIB_REPORT_FIELDS_H_

#include <functional>
#include <vector>

#include "lib/report/report.h"
#include "lib/report/table.h"

namespace fairlap::report {

// A column of a table with a row per `Row`, and where its cell comes from.
template <class Row>
struct Field {
  Column column;
  std::function<Cell(const Row&)> cell;
};

template <class Row>
Table MakeTable(const std::vector<Field<Row>>& fields, const std::vector<Row>& rows) {
  Table table;
  for (const auto& field : fields) table.columns.push_back(field.column);
  for (const Row& row : rows) {
    auto& cells = table.rows.emplace_back();
    for (const auto& field : fields) cells.push_back(field.cell(row));
  }
  return table;
}

// Calls visit(repeat, attempt, rank) for every report that a worker left.
template <class Visitor>
void ForEachRank(const RunReport& report, Visitor visit) {
  for (const RepeatReport& repeat : report.repeats) {
    for (const AttemptReport& attempt : repeat.attempts) {
      for (const RankReport& rank : attempt.ranks) visit(repeat, attempt, rank);
    }
  }
}

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_FIELDS_H_

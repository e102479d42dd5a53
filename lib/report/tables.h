// The tables of a run's report. Pure.
#ifndef FAIRLAP_LIB_REPORT_TABLES_H_
#define FAIRLAP_LIB_REPORT_TABLES_H_

#include "lib/report/report.h"
#include "lib/report/table.h"

namespace fairlap::report {

// A row a repeat, warm-up runs included: its outcome, seed and figures.
Table MakeRepeatsTable(const RunReport& report);

// A row a repeat that left figures: the seconds of each stage over the whole repeat.
Table MakeStagesTable(const RunReport& report);

// A line a repeat: its bottleneck with the figures that led to it.
std::vector<std::string> ExplainBottlenecks(const RunReport& report);

// A row a metric: n, mean, 95 % interval, median, deviation and range over the counted repeats.
// Empty before the first one has finished.
Table MakeSummaryTable(const RunReport& report);

// A row an epoch of every attempt: seconds, train loss, validation metrics.
Table MakeEpochsTable(const RunReport& report);

// Name and value: what was run; what it was measured on (as the first counted repeat saw it).
Table MakeRunTable(const RunReport& report);
Table MakeEnvironmentTable(const RunReport& report);

// A row a repeat that left a report: yes, no, or n/a where a check did not apply.
Table MakeChecksTable(const RunReport& report);

// What stands beside the figures: flags, warnings, unreadable files, lost reports and failed
// repeats, each once.
std::vector<std::string> MakeWarnings(const RunReport& report);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_TABLES_H_

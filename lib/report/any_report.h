// A report in whatever form it is at hand: a run's or one worker's, as a file of ours or as the
// ConfigMap in which the operator keeps it.
#ifndef FAIRLAP_LIB_REPORT_ANY_REPORT_H_
#define FAIRLAP_LIB_REPORT_ANY_REPORT_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "lib/base/result.h"
#include "lib/report/report.h"

namespace fairlap::report {

using AnyReport = std::variant<RunReport, RankReport>;

// Of a RunReport or a RankReport as JSON, a packed report (log_report.h), that in base64, or a
// ConfigMap of the operator as JSON. `source` names it in errors, which are as in files.h.
base::Result<AnyReport> ParseAnyReport(std::string_view text, const std::string& source);

// `path` is a file with any of these, "-" for standard input, or a folder that holds report.json.
base::Result<AnyReport> ReadAnyReport(const std::filesystem::path& path);

// One worker's report as that of a run which is this repeat's attempt and nothing else, for all
// that is made of runs. There is no summary: that is over counted repeats.
RunReport AsRun(RankReport rank);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_ANY_REPORT_H_

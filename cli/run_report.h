// The report of a local run, put together from the planner's status and what the workers left.
// Pure, except where it says that it reads.
#ifndef FAIRLAP_CLI_RUN_REPORT_H_
#define FAIRLAP_CLI_RUN_REPORT_H_

#include <map>
#include <string>
#include <vector>

#include "cli/out_folder.h"
#include "lib/report/report.h"
#include "operator/plan/plan.h"

namespace fairlap::cli {

// What one job's workers left: their reports, or why there is none.
struct WorkerReports {
  std::vector<report::RankReport> ranks;
  std::string problem;
};
using ReportsByJob = std::map<std::string, WorkerReports>;

// Reads the reports of the attempts that are over and not in `reports` yet. True if there were any.
bool ReadWorkerReports(const api::RunStatus& status, const OutFolder& out, ReportsByJob& reports);

report::RunReport MakeRunReport(const plan::ObservedRun& run, const ReportsByJob& reports);

// "repeat 2 of 3 (2): succeeded, 312.4 images/s, ..." for a repeat that is over.
std::string DescribeRepeat(const api::RunStatus& status, size_t position);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_RUN_REPORT_H_

// The two documents that a worker leaves behind: its report and its termination message.
#ifndef FAIRLAP_WORKER_REPORT_REPORT_WRITER_H_
#define FAIRLAP_WORKER_REPORT_REPORT_WRITER_H_

#include <filesystem>
#include <string>

#include "lib/api/figures.h"
#include "lib/base/result.h"
#include "lib/report/report.h"

namespace fairlap::report {

// <results>/<job>/report.json.
std::filesystem::path ReportPath(const std::filesystem::path& results, const std::string& job);

// Atomically; creates missing folders.
base::Status WriteReport(const std::filesystem::path& path, const RankReport& report);

// Compact JSON of at most kTerminationMessageMaxBytes. What does not fit goes in this order: the
// message beyond its schema's limit, the stall analysis's details, the stage seconds but
// cachePrepare, the step-time quantiles and block figures, the clock marks; last, the message is
// cut to what fits, between characters.
std::string MakeTerminationMessage(api::WorkerSummary summary);

// In place: inside a pod the file is a mount of its own, which nothing can be renamed over.
base::Status WriteTerminationMessage(const std::filesystem::path& path, const std::string& text);

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_REPORT_WRITER_H_

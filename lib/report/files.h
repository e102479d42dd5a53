// Report files: read with caps and clear errors, written stable and whole.
#ifndef FAIRLAP_LIB_REPORT_FILES_H_
#define FAIRLAP_LIB_REPORT_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/json.h"
#include "lib/base/result.h"
#include "lib/report/report.h"

namespace fairlap::report {

inline constexpr char kReportFile[] = "report.json";
inline constexpr int64_t kMaxReportBytes = 256 * 1024 * 1024;

// `path` where it is a file, or the report in it where it is a folder.
std::filesystem::path ReportFileAt(const std::filesystem::path& path);

// `path` is the file, or a folder that holds report.json. Fields of a later version are ignored; a
// document that is no report, or of a schema version that is not known, is refused by name.
base::Result<RunReport> ReadRunReport(const std::filesystem::path& path);
base::Result<RankReport> ReadRankReport(const std::filesystem::path& path);
// Of a text or a document; `source` names it in errors.
base::Result<RankReport> ParseRankReport(std::string_view text, const std::string& source);
base::Result<RunReport> DecodeRunReport(const base::Json& json, const std::string& source);
base::Result<RankReport> DecodeRankReport(const base::Json& json, const std::string& source);

// Indented by two, except that a list of plain values stays on one line; text that is not UTF-8 is
// replaced. Ends with a newline. The same document gives the same bytes.
std::string ToJsonText(const base::Json& json);

// Atomically; see base::WriteFileAtomically.
base::Status WriteRunReport(const std::filesystem::path& file, const RunReport& report);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_FILES_H_

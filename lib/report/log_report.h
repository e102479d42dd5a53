// A worker's report on its way through the pod's log: compacted, packed and cut into lines that can
// be told from everything else in the log and checked.
//
//   fairlap-report 1 3/17 9c0f1d2e <base64>
//
// is line 3 of 17, format 1, with the CRC-32 of the whole packed report in hex.
#ifndef FAIRLAP_LIB_REPORT_LOG_REPORT_H_
#define FAIRLAP_LIB_REPORT_LOG_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/report/report.h"

namespace fairlap::report {

inline constexpr size_t kMaxCompactPoints = 4096;
// Under which a ConfigMap's binaryData holds a packed report.
inline constexpr char kPackedReportKey[] = "report.json.gz";
inline constexpr int64_t kMaxPackedBytes = 256 * 1024;
// No log of a worker needs to be read further back than this from its end to find the lines.
inline constexpr int64_t kMaxLogBytes = 1 << 20;

// At most `max_points` entries a step series: each becomes the mean of `stride` steps (of samples:
// the sum). The last entry may stand for fewer.
RankReport Compact(RankReport report, size_t max_points);

// Gzipped JSON of at most kMaxPackedBytes, compacted as little as that takes.
std::string Pack(const RankReport& report);

// Lines of at most 4 KiB, each ended with '\n'.
std::string ToLogLines(std::string_view packed);

// Finds the last complete packed report in a log that may hold anything else, and be cut at its
// start. kNotFound if there is none, kInvalidInput if lines are missing or damaged.
base::Result<std::string> FromLog(std::string_view log);

// Reads back what Pack made.
base::Result<RankReport> Unpack(std::string_view packed);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_LOG_REPORT_H_

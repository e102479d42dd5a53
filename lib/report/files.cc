#include "lib/report/files.h"

#include <algorithm>
#include <system_error>

#include "lib/base/codec.h"
#include "lib/base/file.h"
#include "lib/report/documents.h"

namespace fairlap::report {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Json;

// A newer writer may have changed what a field means, so its documents are refused, not guessed at.
base::Status CheckVersion(const Json& json, const std::string& file) {
  const auto found = json.is_object() ? json.find("schemaVersion") : json.end();
  if (!json.is_object() || found == json.end() || !found->is_number_integer()) {
    return base::MakeError(ErrorKind::kInvalidInput,
                           file + ": is not a Fairlap report: it has no schemaVersion");
  }
  if (*found != api::kReportSchemaVersion) {
    return base::MakeError(ErrorKind::kInvalidInput, file + ": has schemaVersion " + found->dump() +
                                                         ", this version of Fairlap reads " +
                                                         std::to_string(api::kReportSchemaVersion));
  }
  return {};
}

template <class Report>
base::Result<Report> Decode(const Json& json, const std::string& source) {
  if (const auto version = CheckVersion(json, source); !version) {
    return tl::unexpected(version.error());
  }
  Report report;
  base::Problems problems;
  base::Decode(json, "", report, problems, base::UnknownFields::kIgnore);
  if (problems.empty()) return report;
  std::string message = source + ": " + problems[0].path + ": " + problems[0].message;
  if (problems.size() > 1) {
    message += " (and " + std::to_string(problems.size() - 1) + " more problems)";
  }
  return base::MakeError(ErrorKind::kInvalidInput, std::move(message));
}

template <class Report>
base::Result<Report> Parse(std::string_view text, const std::string& source) {
  const auto json = base::ParseJson(text, source);
  if (!json) return tl::unexpected(json.error());
  return Decode<Report>(*json, source);
}

template <class Report>
base::Result<Report> Read(const fs::path& path) {
  const fs::path file = ReportFileAt(path);
  const auto text = base::ReadFile(file, kMaxReportBytes);
  if (!text) return tl::unexpected(text.error());
  return Parse<Report>(*text, file.string());
}

std::string Scalar(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool IsPlainList(const Json& json) {
  return json.is_array() && std::none_of(json.begin(), json.end(),
                                         [](const Json& item) { return item.is_structured(); });
}

void AppendPlainList(const Json& json, std::string& out) {
  out += '[';
  for (size_t i = 0; i < json.size(); ++i) out += (i > 0 ? ", " : "") + Scalar(json[i]);
  out += ']';
}

void Append(const Json& json, size_t indent, std::string& out) {
  if (!json.is_structured() || json.empty()) {
    out += Scalar(json);
    return;
  }
  if (IsPlainList(json)) return AppendPlainList(json, out);
  const bool object = json.is_object();
  out += object ? '{' : '[';
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += (first ? "\n" : ",\n") + std::string(indent + 2, ' ');
    if (object) out += Scalar(key) + ": ";
    Append(value, indent + 2, out);
    first = false;
  }
  out += '\n' + std::string(indent, ' ') + (object ? '}' : ']');
}

}  // namespace

fs::path ReportFileAt(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? path / kReportFile : path;
}

base::Result<RunReport> ReadRunReport(const fs::path& path) { return Read<RunReport>(path); }
base::Result<RankReport> ReadRankReport(const fs::path& path) { return Read<RankReport>(path); }

base::Result<RankReport> ParseRankReport(std::string_view text, const std::string& source) {
  return Parse<RankReport>(text, source);
}

base::Result<RunReport> DecodeRunReport(const Json& json, const std::string& source) {
  return Decode<RunReport>(json, source);
}

base::Result<RankReport> DecodeRankReport(const Json& json, const std::string& source) {
  return Decode<RankReport>(json, source);
}

std::string ToJsonText(const Json& json) {
  std::string text;
  Append(json, 0, text);
  return text + '\n';
}

base::Status WriteRunReport(const fs::path& file, const RunReport& report) {
  return base::WriteFileAtomically(file, ToJsonText(base::Encode(report)));
}

}  // namespace fairlap::report

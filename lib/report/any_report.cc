#include "lib/report/any_report.h"

#include <utility>

#include "lib/base/encoding.h"
#include "lib/base/file.h"
#include "lib/report/files.h"
#include "lib/report/log_report.h"

namespace fairlap::report {
namespace {

using base::Json;

constexpr std::string_view kGzipMagic = "\x1f\x8b";

base::Result<AnyReport> Unpacked(std::string_view packed, const std::string& source) {
  const auto text = base::Gunzip(packed, kMaxReportBytes);
  if (!text) return base::MakeError(text.error().kind, source + ": " + text.error().message);
  auto rank = ParseRankReport(*text, source);
  if (!rank) return tl::unexpected(rank.error());
  return AnyReport(*std::move(rank));
}

// kubectl and base64 may end or break the text with line ends.
std::string WithoutLineEnds(std::string_view text) {
  std::string joined;
  for (const char c : text) {
    if (c != '\n' && c != '\r') joined += c;
  }
  return joined;
}

const Json* PackedIn(const Json& json) {
  static const Json::json_pointer kPacked(std::string("/binaryData/") + kPackedReportKey);
  return json.contains(kPacked) && json[kPacked].is_string() ? &json[kPacked] : nullptr;
}

base::Result<AnyReport> Decoded(const Json& json, const std::string& source) {
  if (const Json* packed = PackedIn(json)) {
    const auto bytes = base::FromBase64(packed->get<std::string>());
    if (!bytes) return base::MakeError(bytes.error().kind, source + ": " + bytes.error().message);
    return Unpacked(*bytes, source);
  }
  if (json.is_object() && json.contains("rank") && !json.contains("spec")) {
    auto rank = DecodeRankReport(json, source);
    if (!rank) return tl::unexpected(rank.error());
    return AnyReport(*std::move(rank));
  }
  auto run = DecodeRunReport(json, source);
  if (!run) return tl::unexpected(run.error());
  return AnyReport(*std::move(run));
}

std::string StateOf(const api::RepeatIdentity& identity, api::Outcome outcome) {
  return "repeat " + identity.repeat + ", attempt " + std::to_string(identity.attempt) + ", " +
         std::string(base::EnumName(outcome));
}

api::RepeatStatus MakeStatus(const RankReport& rank) {
  const api::RepeatIdentity& identity = rank.config.identity;
  api::RepeatStatus repeat;
  repeat.name = identity.repeat;
  repeat.warmup = identity.warmup;
  repeat.seed = rank.summary.seed;
  repeat.outcome = rank.summary.outcome;
  repeat.figures = rank.summary.figures;
  api::AttemptStatus& attempt = repeat.attempts.emplace_back();
  attempt.attempt = identity.attempt;
  attempt.job = identity.job;
  attempt.outcome = rank.summary.outcome;
  attempt.marks = rank.summary.marks;
  if (!rank.summary.reason.empty()) attempt.reason = rank.summary.reason;
  if (!rank.summary.message.empty()) attempt.message = rank.summary.message;
  return repeat;
}

}  // namespace

base::Result<AnyReport> ParseAnyReport(std::string_view text, const std::string& source) {
  if (text.starts_with(kGzipMagic)) return Unpacked(text, source);
  if (!text.starts_with('{')) {
    const auto packed = base::FromBase64(WithoutLineEnds(text));
    if (packed && packed->starts_with(kGzipMagic)) return Unpacked(*packed, source);
  }
  const auto json = base::ParseJson(text, source);
  if (!json) return tl::unexpected(json.error());
  return Decoded(*json, source);
}

base::Result<AnyReport> ReadAnyReport(const std::filesystem::path& path) {
  const std::filesystem::path file = path == "-" ? "/dev/stdin" : ReportFileAt(path);
  const auto text = base::ReadFile(file, kMaxReportBytes);
  if (!text) return tl::unexpected(text.error());
  return ParseAnyReport(*text, file.string());
}

RunReport AsRun(RankReport rank) {
  const api::RepeatIdentity identity = rank.config.identity;
  RunReport run;
  run.name = identity.run;
  run.ns = identity.ns;
  run.uid = identity.uid;
  run.spec.software = rank.config.software;
  run.spec.problem = rank.config.problem;
  run.spec.compute.device = rank.config.device;
  run.status.state = StateOf(identity, rank.summary.outcome);
  run.status.start_time = rank.summary.marks.container_started;
  run.status.completion_time = rank.summary.marks.finished;
  run.status.repeats.push_back(MakeStatus(rank));
  RepeatReport& repeat = run.repeats.emplace_back();
  repeat.name = identity.repeat;
  repeat.warmup = identity.warmup;
  AttemptReport& attempt = repeat.attempts.emplace_back();
  attempt.attempt = identity.attempt;
  attempt.outcome = rank.summary.outcome;
  attempt.message = rank.summary.message;
  attempt.ranks.push_back(std::move(rank));
  return run;
}

}  // namespace fairlap::report

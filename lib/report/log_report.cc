#include "lib/report/log_report.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <vector>

#include "lib/base/codec.h"
#include "lib/base/encoding.h"
#include "lib/report/documents.h"
#include "lib/report/files.h"

namespace fairlap::report {
namespace {

using base::ErrorKind;

constexpr std::string_view kMark = "fairlap-report 1 ";
constexpr size_t kChunk = 3900;  // base64 characters a line

// The sums (or means) of `stride` neighbours each.
template <class T>
void Bin(size_t stride, bool mean, std::vector<T>& values) {
  std::vector<T> bins;
  bins.reserve(values.size() / stride + 1);
  for (size_t begin = 0; begin < values.size(); begin += stride) {
    const size_t end = std::min(begin + stride, values.size());
    T sum{};
    for (size_t i = begin; i < end; ++i) sum += values[i];
    bins.push_back(mean ? sum / static_cast<T>(end - begin) : sum);
  }
  values = std::move(bins);
}

std::string Checksum(std::string_view packed) {
  const auto* bytes = reinterpret_cast<const Bytef*>(packed.data());
  char text[9];
  std::snprintf(text, sizeof text, "%08lx",
                crc32(crc32(0, nullptr, 0), bytes, static_cast<uInt>(packed.size())));
  return text;
}

struct LogLine {
  size_t number = 0, count = 0;
  std::string_view checksum, chunk;
};

std::optional<std::string_view> TakeUntil(char end, std::string_view& text) {
  const size_t at = text.find(end);
  if (at == text.npos) return std::nullopt;
  const std::string_view word = text.substr(0, at);
  text.remove_prefix(at + 1);
  return word;
}

bool ParseCount(std::optional<std::string_view> text, size_t& number) {
  if (!text || text->empty() || text->size() > 6) return false;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc{} && end == text->data() + text->size() && number > 0;
}

std::optional<LogLine> ParseLine(std::string_view line) {
  const size_t mark = line.find(kMark);
  if (mark == line.npos) return std::nullopt;
  std::string_view rest = line.substr(mark + kMark.size());
  LogLine parsed;
  if (!ParseCount(TakeUntil('/', rest), parsed.number)) return std::nullopt;
  if (!ParseCount(TakeUntil(' ', rest), parsed.count)) return std::nullopt;
  const auto checksum = TakeUntil(' ', rest);
  if (!checksum || parsed.number > parsed.count) return std::nullopt;
  parsed.checksum = *checksum;
  parsed.chunk = rest;
  return parsed;
}

// Every line of ours in the log, in order.
std::vector<LogLine> OurLines(std::string_view log) {
  std::vector<LogLine> lines;
  while (!log.empty()) {
    const size_t end = std::min(log.find('\n'), log.size());
    if (const auto line = ParseLine(log.substr(0, end))) lines.push_back(*line);
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return lines;
}

}  // namespace

RankReport Compact(RankReport report, size_t max_points) {
  StepSeries& steps = report.steps;
  const size_t stride = (steps.wall_seconds.size() + max_points - 1) / max_points;
  if (stride <= 1) return report;
  for (auto* series :
       {&steps.wall_seconds, &steps.wait_seconds, &steps.copy_seconds, &steps.forward_seconds,
        &steps.backward_seconds, &steps.update_seconds, &steps.compute_seconds, &steps.loss}) {
    Bin(stride, true, *series);
  }
  Bin(stride, false, steps.samples);
  steps.stride *= static_cast<int64_t>(stride);
  return report;
}

std::string Pack(const RankReport& report) {
  for (size_t points = kMaxCompactPoints;; points /= 2) {
    std::string packed =
        base::Gzip(base::Encode(Compact(report, points))
                       .dump(-1, ' ', false, base::Json::error_handler_t::replace));
    if (static_cast<int64_t>(packed.size()) <= kMaxPackedBytes || points == 1) return packed;
  }
}

std::string ToLogLines(std::string_view packed) {
  const std::string text = base::ToBase64(packed);
  const std::string checksum = Checksum(packed);
  const size_t count = std::max<size_t>(1, (text.size() + kChunk - 1) / kChunk);
  std::string lines;
  for (size_t i = 0; i < count; ++i) {
    lines += std::string(kMark) + std::to_string(i + 1) + "/" + std::to_string(count) + " " +
             checksum + " " + text.substr(i * kChunk, kChunk) + "\n";
  }
  return lines;
}

base::Result<std::string> FromLog(std::string_view log) {
  const std::vector<LogLine> lines = OurLines(log);
  if (lines.empty()) {
    return base::MakeError(ErrorKind::kNotFound, "the log holds no report");
  }
  const LogLine& last = lines.back();
  if (last.number != last.count || lines.size() < last.count) {
    return base::MakeError(ErrorKind::kInvalidInput, "the report in the log is cut");
  }
  std::string text;
  for (size_t i = 0; i < last.count; ++i) {
    const LogLine& line = lines[lines.size() - last.count + i];
    if (line.number != i + 1 || line.count != last.count || line.checksum != last.checksum) {
      return base::MakeError(ErrorKind::kInvalidInput,
                             "lines of the report in the log are missing");
    }
    text += line.chunk;
  }
  auto packed = base::FromBase64(text);
  if (!packed || Checksum(*packed) != last.checksum) {
    return base::MakeError(ErrorKind::kInvalidInput, "the report in the log is damaged");
  }
  return packed;
}

base::Result<RankReport> Unpack(std::string_view packed) {
  const auto text = base::Gunzip(packed, kMaxReportBytes);
  if (!text) return tl::unexpected(text.error());
  return ParseRankReport(*text, "packed report");
}

}  // namespace fairlap::report

#include "lib/api/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace fairlap::api {
namespace {

using base::Json;
using std::string_view_literals::operator""sv;

constexpr std::array kTrue = {"y"sv,    "Y"sv,    "yes"sv, "Yes"sv, "YES"sv, "true"sv,
                              "True"sv, "TRUE"sv, "on"sv,  "On"sv,  "ON"sv};
constexpr std::array kFalse = {"n"sv,     "N"sv,     "no"sv,  "No"sv,  "NO"sv, "false"sv,
                               "False"sv, "FALSE"sv, "off"sv, "Off"sv, "OFF"sv};
constexpr std::array kNull = {""sv, "~"sv, "null"sv, "Null"sv, "NULL"sv};
constexpr std::array kNotFinite = {".nan"sv,  ".NaN"sv,  ".NAN"sv,  ".inf"sv,
                                   ".Inf"sv,  ".INF"sv,  "+.inf"sv, "+.Inf"sv,
                                   "+.INF"sv, "-.inf"sv, "-.Inf"sv, "-.INF"sv};

template <size_t N>
bool Contains(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The base of a Go integer literal, whose prefix is removed: 0x1F, 0o17, 017, 0b101, 31.
int TakeBase(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char letter = static_cast<char>(digits[1] | 0x20);
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

std::optional<Json> ParseInteger(std::string_view digits, bool negative) {
  const int base = TakeBase(digits);
  uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, magnitude, base);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (!negative) return Json(magnitude);
  constexpr uint64_t kLowest = uint64_t{1} << 63U;
  if (magnitude > kLowest) return std::nullopt;
  return Json(static_cast<int64_t>(~magnitude + 1));
}

std::optional<Json> ParseFloat(std::string_view digits, bool negative) {
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (negative) value = -value;
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::abs(value) <= kExact) {
    return Json(static_cast<int64_t>(value));
  }
  return Json(value);
}

}  // namespace

std::optional<Json> TypePlainScalar(std::string_view text) {
  if (Contains(kNull, text)) return Json(nullptr);
  if (Contains(kTrue, text)) return Json(true);
  if (Contains(kFalse, text)) return Json(false);
  if (Contains(kNotFinite, text)) return std::nullopt;
  std::string digits(text);
  // Underscores group digits, but not in a number that begins with its point.
  if (text.front() != '.') std::erase(digits, '_');
  std::string_view rest = digits;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (!rest.empty() && (IsDigit(rest[0]) || rest[0] == '.')) {
    if (auto integer = ParseInteger(rest, negative)) return integer;
    if (auto number = ParseFloat(rest, negative)) return number;
  }
  return Json(std::string(text));
}

}  // namespace fairlap::api

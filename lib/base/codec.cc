#include "lib/base/codec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <regex>

#include "lib/base/number.h"
#include "lib/base/text.h"

namespace fairlap::base {

double Decimal::Value() const {
  double value = 0;  // from_chars and not strtod: the locale must not move the decimal point
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

namespace codec {
namespace {

// Never quotes more than a line of somebody's input back at them.
constexpr size_t kQuotedLength = 60;

// Longer strings are not matched: std::regex recurses once a character.
constexpr size_t kLongestMatched = 2048;

std::string Quote(const Json& json) {
  return Cut(json.dump(-1, ' ', false, Json::error_handler_t::replace), kQuotedLength);
}

std::string_view TypeName(const Json& json) {
  if (json.is_number_integer()) return "an integer";
  if (json.is_number()) return "a number";
  if (json.is_boolean()) return "a boolean";
  if (json.is_string()) return "a string";
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return "null";
}

void ReportType(const Json& json, const std::string& path, std::string_view wanted,
                Problems& problems) {
  std::string message = "must be " + std::string(wanted) + ", but is ";
  if (!json.is_null()) message += Quote(json) + ", ";
  problems.push_back({path, message + std::string(TypeName(json))});
}

std::string DescribeRange(const SizeRange& range) {
  if (range.minimum && range.maximum) {
    return "from " + std::to_string(*range.minimum) + " to " + std::to_string(*range.maximum);
  }
  if (range.minimum) return "at least " + std::to_string(*range.minimum);
  return "at most " + std::to_string(range.maximum.value_or(INT64_MAX));
}

bool Within(int64_t value, const SizeRange& range) {
  return value >= range.minimum.value_or(value) && value <= range.maximum.value_or(value);
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& names) {
  constexpr size_t kLongestCompared = 64;
  if (word.size() > kLongestCompared) return {};
  std::string_view best;
  size_t best_distance = 3;  // further away it is no misspelling
  for (const std::string_view name : names) {
    const size_t distance = EditDistance(word, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace

// A compiled pattern is kept for the life of the program.
bool Matches(const std::string& text, std::string_view pattern) {
  if (text.size() > kLongestMatched) return false;
  static std::mutex mutex;
  static std::map<std::string, std::regex, std::less<>> compiled;
  const std::lock_guard lock(mutex);
  auto found = compiled.find(pattern);
  if (found == compiled.end()) {
    const std::string source(pattern);
    found = compiled.emplace(source, std::regex(source, std::regex::ECMAScript)).first;
  }
  return std::regex_match(text, found->second);
}

std::string Child(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

std::string Item(const std::string& path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

void ReadInteger(const Json& json, const std::string& path, const Bounds& bounds, int64_t& out,
                 Problems& problems) {
  const bool too_large =
      json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  if (!json.is_number_integer()) return ReportType(json, path, "an integer", problems);
  const int64_t value = too_large ? INT64_MAX : json.get<int64_t>();
  if (too_large || !Within(value, bounds.value)) {
    problems.push_back(
        {path, "is " + Quote(json) + ", but must be " + DescribeRange(bounds.value)});
    return;
  }
  out = value;
}

void ReadNumber(const Json& json, const std::string& path, double& out, Problems& problems) {
  if (!json.is_number()) return ReportType(json, path, "a number", problems);
  out = json.get<double>();
}

void ReadBool(const Json& json, const std::string& path, bool& out, Problems& problems) {
  if (!json.is_boolean()) return ReportType(json, path, "true or false", problems);
  out = json.get<bool>();
}

void ReadText(const Json& json, const std::string& path, const SizeRange& length,
              std::string_view pattern, std::string& out, Problems& problems) {
  if (!json.is_string()) return ReportType(json, path, "a string (quote it)", problems);
  const auto& text = json.get_ref<const std::string&>();
  if (!Within(CountCharacters(text), length)) {
    problems.push_back(
        {path, "is " + Quote(json) + ", but must have " + DescribeRange(length) + " characters"});
    return;
  }
  if (!pattern.empty() && !Matches(text, pattern)) {
    problems.push_back({path, "is " + Quote(json) + ", but must match " + std::string(pattern)});
    return;
  }
  out = text;
}

void ReadDecimal(const Json& json, const std::string& path, std::string& out, Problems& problems) {
  if (json.is_number()) {
    problems.push_back({path, "is the number " + Quote(json) +
                                  ", but decimals are strings here: write it in quotes"});
    return;
  }
  if (!json.is_string()) return ReportType(json, path, "a decimal in quotes", problems);
  const auto& text = json.get_ref<const std::string&>();
  if (text.size() > static_cast<size_t>(kDecimalMaxLength) || !Matches(text, kDecimalPattern)) {
    problems.push_back({path, "is " + Quote(json) +
                                  ", but must be a decimal of at most 24 characters such as "
                                  "\"0.1\" or \"5e-4\", without a sign"});
    return;
  }
  out = text;
}

void ReadIntOrString(const Json& json, const std::string& path, std::string_view pattern,
                     std::string& out, Problems& problems) {
  constexpr size_t kMaxLength = 24;
  std::string text;
  if (json.is_number_integer()) {
    text = json.dump();
  } else if (json.is_string()) {
    text = json.get<std::string>();
  } else {
    return ReportType(json, path, "an integer or a string", problems);
  }
  if (text.size() > kMaxLength || !Matches(text, pattern)) {
    problems.push_back({path, "is " + Quote(json) + ", but must match " + std::string(pattern)});
    return;
  }
  out = text;
}

int ReadEnum(const Json& json, const std::string& path, const std::string_view* names, size_t count,
             Problems& problems) {
  const std::vector<std::string_view> allowed(names, names + count);
  if (json.is_string()) {
    const auto found =
        std::find(allowed.begin(), allowed.end(), json.get_ref<const std::string&>());
    if (found != allowed.end()) return static_cast<int>(found - allowed.begin());
  }
  problems.push_back({path, "is " + Quote(json) + ", but must be one of " + Join(allowed)});
  return -1;
}

bool CheckObject(const Json& json, const std::string& path, Problems& problems) {
  if (json.is_object()) return true;
  ReportType(json, path, "an object", problems);
  return false;
}

bool CheckList(const Json& json, const std::string& path, const SizeRange& size,
               Problems& problems) {
  if (!json.is_array()) {
    ReportType(json, path, "a list", problems);
    return false;
  }
  if (Within(static_cast<int64_t>(json.size()), size)) return true;
  problems.push_back({path, "has " + std::to_string(json.size()) + " entries, but must have " +
                                DescribeRange(size)});
  return false;
}

bool CheckMap(const Json& json, const std::string& path, const SizeRange& size,
              Problems& problems) {
  if (!CheckObject(json, path, problems)) return false;
  if (Within(static_cast<int64_t>(json.size()), size)) return true;
  problems.push_back({path, "has " + std::to_string(json.size()) + " entries, but must have " +
                                DescribeRange(size)});
  return false;
}

void ReportMissing(const std::string& path, std::string_view name, Problems& problems) {
  problems.push_back({Child(path, name), "is required and missing"});
}

void ReportUnknown(const Json& json, const std::string& path,
                   const std::vector<std::string_view>& known, Problems& problems) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string message = "is not a known field";
    const std::string_view nearest = Nearest(key, known);
    if (!nearest.empty()) message += "; did you mean " + std::string(nearest) + "?";
    message += " Allowed here: " + Join(known);
    problems.push_back({Child(path, Cut(key, kQuotedLength)), std::move(message)});
  }
}

const Json* Find(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::vector<std::pair<std::string, const Json*>> Entries(const Json& object) {
  std::vector<std::pair<std::string, const Json*>> entries;
  for (const auto& [key, value] : object.items()) entries.emplace_back(key, &value);
  return entries;
}

const Json& At(const Json& list, size_t index) { return list[index]; }
size_t Size(const Json& list) { return list.size(); }
Json NewObject() { return Json::object(); }
Json NewList() { return Json::array(); }

void Put(Json& object, std::string_view name, Json value) {
  if (!value.is_null()) object[std::string(name)] = std::move(value);
}

void Append(Json& list, Json value) { list.push_back(std::move(value)); }
Json FromText(const std::string& text) { return text; }
Json FromOptionalText(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json FromName(std::string_view name) { return std::string(name); }
Json FromInteger(int64_t value) { return value; }
Json FromBool(bool value) { return value; }

Json FromNumber(double value) {
  return std::isfinite(value) ? Json(RoundToSixDigits(value)) : Json(nullptr);
}

}  // namespace codec
}  // namespace fairlap::base

#include <algorithm>
#include <string>
#include <string_view>

#include "lib/api/yaml.h"
#include "lib/api/yaml_scalar.h"

namespace fairlap::api {
namespace {

using base::Json;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Plain only where no YAML reader, of 1.1 or 1.2, could see anything but this text.
bool IsPlain(const std::string& text) {
  constexpr size_t kLongest = 256;
  if (text.empty() || text.size() > kLongest) return false;
  if (!IsLetter(text.front()) && text.front() != '/') return false;
  if (text.back() == ':') return false;
  const bool safe = std::all_of(text.begin(), text.end(), [](char c) {
    return IsLetter(c) || IsDigit(c) || std::string_view("_./:-@+").find(c) != std::string::npos;
  });
  return safe && TypePlainScalar(text)->is_string();
}

// Escapes what JSON leaves alone and some YAML reader does not: DEL, the C1 controls, the line and
// paragraph separators and the byte order mark.
std::string Quoted(const std::string& text) {
  const std::string json = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i);
    const bool control =
        rest.size() > 1 && rest[0] == '\xC2' && static_cast<unsigned char>(rest[1]) < 0xA0U;
    if (rest[0] == '\x7F') {
      result += "\\x7F";
    } else if (control) {
      constexpr char kHex[] = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(rest[1]);
      result += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
      ++i;
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      result += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (rest.starts_with("\xEF\xBB\xBF")) {
      result += "\\uFEFF";
      i += 2;
    } else {
      result += rest[0];
    }
  }
  return result;
}

// Whole lines of printable ASCII, the first not indented: what a literal block keeps byte for byte.
bool IsLiteral(const std::string& text) {
  if (text.size() < 2 || text.back() != '\n' || text[text.size() - 2] == '\n') return false;
  if (text.front() == ' ' || text.front() == '\n') return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && (text[i] < ' ' || text[i] > '~')) return false;
    if (text[i] == '\n' && i > 0 && text[i - 1] == ' ') return false;
  }
  return true;
}

std::string Literal(const std::string& text, int indent) {
  std::string result = "|\n";
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end > begin) result.append(static_cast<size_t>(indent), ' ');
    result.append(text, begin, end - begin + 1);
    begin = end + 1;
  }
  result.pop_back();  // the caller ends the line
  return result;
}

std::string Scalar(const Json& json, int indent) {
  if (!json.is_string())
    return json.is_structured() ? (json.is_array() ? "[]" : "{}") : json.dump();
  const auto& text = json.get_ref<const std::string&>();
  if (IsPlain(text)) return text;
  return IsLiteral(text) ? Literal(text, indent) : Quoted(text);
}

bool IsBlock(const Json& json) { return json.is_structured() && !json.empty(); }

// Writes the entries of a map or list that is not empty, a line each at `indent`; `inline_first`:
// the first one continues the line of a list's dash.
void Put(const Json& json, int indent, bool inline_first, std::string& out) {
  const std::string margin(static_cast<size_t>(indent), ' ');
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    if (!first || !inline_first) out += margin;
    first = false;
    if (json.is_array()) {
      out += "- ";
    } else {
      out += (IsPlain(key) ? key : Quoted(key)) + ":";
    }
    if (!IsBlock(value)) {
      out += (json.is_array() ? "" : " ") + Scalar(value, indent + 2) + "\n";
    } else if (json.is_array()) {
      Put(value, indent + 2, true, out);
    } else {
      out += "\n";
      Put(value, value.is_array() ? indent : indent + 2, false, out);
    }
  }
}

}  // namespace

std::string ToYaml(const Json& json) {
  if (!IsBlock(json)) return Scalar(json, 2) + "\n";
  std::string out;
  Put(json, 0, false, out);
  return out;
}

}  // namespace fairlap::api

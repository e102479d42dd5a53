#include "lib/base/text.h"

#include <algorithm>

namespace fairlap::base {
namespace {

constexpr std::string_view kEllipsis = "...";

// Continuation bytes look like 10xxxxxx.
bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

std::string_view Prefix(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && ContinuesCharacter(text[max_bytes])) --max_bytes;
  return text.substr(0, max_bytes);
}

std::string Cut(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  return std::string(Prefix(text, max_bytes - kEllipsis.size())).append(kEllipsis);
}

int64_t CountCharacters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return !ContinuesCharacter(c); });
}

std::string Printable(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '\n' || c == '\t' ? ' ' : IsControl(c) ? '?' : c;
  return safe;
}

}  // namespace fairlap::base

#include "operator/plan/text.h"

#include <algorithm>

namespace fairlap::plan {
namespace {

constexpr std::string_view kEllipsis = "...";

bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string Cut(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  size_t end = max_bytes - kEllipsis.size();
  while (end > 0 && ContinuesCharacter(text[end])) --end;
  return std::string(text.substr(0, end)).append(kEllipsis);
}

std::string ReasonOr(std::string_view candidate, std::string_view fallback) {
  const bool usable = !candidate.empty() && candidate.size() <= kMaxReasonBytes &&
                      IsLetter(candidate.front()) &&
                      std::all_of(candidate.begin(), candidate.end(),
                                  [](char c) { return IsLetter(c) || IsDigit(c); });
  return std::string(usable ? candidate : fallback);
}

std::string Join(const std::vector<std::string>& items, std::string_view separator) {
  std::string joined;
  for (const std::string& item : items) {
    if (!joined.empty()) joined += separator;
    joined += item;
  }
  return joined;
}

}  // namespace fairlap::plan

#include "operator/plan/text.h"

#include <algorithm>

namespace fairlap::plan {
namespace {

bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string ReasonOr(std::string_view candidate, std::string_view fallback) {
  const bool usable = !candidate.empty() && candidate.size() <= kMaxReasonBytes &&
                      IsLetter(candidate.front()) &&
                      std::all_of(candidate.begin(), candidate.end(),
                                  [](char c) { return IsLetter(c) || IsDigit(c); });
  return std::string(usable ? candidate : fallback);
}

}  // namespace fairlap::plan

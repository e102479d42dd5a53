#include "lib/base/number.h"

#include <charconv>
#include <cmath>

namespace fairlap::base {
namespace {
constexpr int kSignificantDigits = 6;
}

std::string FormatNumber(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general,
                                 kSignificantDigits);
  return std::string(text, end.ptr);
}

double RoundToSixDigits(double value) {
  if (!std::isfinite(value)) return value;
  const std::string text = FormatNumber(value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace fairlap::base

#include "lib/base/clock.h"

#include <cstdio>
#include <ctime>

namespace fairlap::base {
namespace {

class MachineClock final : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
  WallTime WallNow() const override { return std::chrono::system_clock::now(); }
};

}  // namespace

const Clock& SystemClock() {
  static const MachineClock clock;
  return clock;
}

std::string FormatTime(WallTime time) {
  using std::chrono::duration_cast;
  using std::chrono::microseconds;
  const auto since_epoch = duration_cast<microseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = static_cast<std::time_t>(since_epoch / 1'000'000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(since_epoch % 1'000'000));
  return text;
}

std::optional<WallTime> ParseTime(std::string_view text) {
  const std::string copy(text);
  std::tm parts{};
  int consumed = 0;
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon,
                  &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &consumed) != 6) {
    return std::nullopt;
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  std::string_view rest = text.substr(static_cast<size_t>(consumed));
  int64_t micros = 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    int64_t scale = 100'000;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
      micros += (rest.front() - '0') * scale;
      scale /= 10;
      rest.remove_prefix(1);
    }
  }
  if (rest != "Z") return std::nullopt;
  return WallTime(std::chrono::seconds(timegm(&parts)) + std::chrono::microseconds(micros));
}

}  // namespace fairlap::base

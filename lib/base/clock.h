// Time enters the program here and nowhere else, so that tests can set it.
#ifndef FAIRLAP_LIB_BASE_CLOCK_H_
#define FAIRLAP_LIB_BASE_CLOCK_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fairlap::base {

using SteadyTime = std::chrono::steady_clock::time_point;  // for durations
using WallTime = std::chrono::system_clock::time_point;    // for marks that people and the API see
using Seconds = std::chrono::duration<double>;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime Now() const = 0;
  virtual WallTime WallNow() const = 0;
};

// The machine's clocks; lives for the whole program.
const Clock& SystemClock();

// RFC 3339 in UTC with microseconds, as Kubernetes' MicroTime: "2026-11-30T10:36:30.000123Z".
std::string FormatTime(WallTime time);
// Also reads whole seconds (metav1.Time). nullopt if the text is no such time.
std::optional<WallTime> ParseTime(std::string_view text);

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_CLOCK_H_

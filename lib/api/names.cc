#include "lib/api/names.h"

namespace fairlap::api {

std::vector<std::string> RepeatNames(const MeasurementSpec& measurement) {
  std::vector<std::string> names;
  for (int64_t i = 1; i <= measurement.warmup_runs; ++i) names.push_back("w" + std::to_string(i));
  for (int64_t i = 1; i <= measurement.repeats; ++i) names.push_back(std::to_string(i));
  return names;
}

std::string JobName(const std::string& run, const std::string& repeat, int64_t attempt) {
  return run + "-" + repeat + "-" + std::to_string(attempt);
}

int64_t RepeatSeed(int64_t run_seed, int64_t position) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
  uint64_t z = static_cast<uint64_t>(run_seed) + kGolden * static_cast<uint64_t>(position + 1);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  z ^= z >> 31U;
  return static_cast<int64_t>(z & static_cast<uint64_t>(kMaxSafeInteger));
}

}  // namespace fairlap::api

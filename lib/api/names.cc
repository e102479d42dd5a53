#include "lib/api/names.h"

#include "lib/base/random.h"

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

std::string PopulateJobName(const std::string& run) { return run + "-populate"; }

int64_t RepeatSeed(int64_t run_seed, int64_t position) {
  const uint64_t word =
      base::Random::At(static_cast<uint64_t>(run_seed), static_cast<uint64_t>(position));
  return static_cast<int64_t>(word & static_cast<uint64_t>(kMaxSafeInteger));
}

}  // namespace fairlap::api

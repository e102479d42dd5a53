// Names and seeds of children: pure functions of the run, so that whoever computes them again gets
// the same ones.
#ifndef FAIRLAP_LIB_API_NAMES_H_
#define FAIRLAP_LIB_API_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/api/spec.h"

namespace fairlap::api {

// "w1", "w2", then "1", "2", ...: the order in which the repeats run.
std::vector<std::string> RepeatNames(const MeasurementSpec& measurement);

// <run>-<repeat>-<attempt>, at most 63 characters for a run name of at most 50.
std::string JobName(const std::string& run, const std::string& repeat, int64_t attempt);

// <run>-populate: the job that fills a templated claim.
std::string PopulateJobName(const std::string& run);

// The seed of the repeat at `position` in RepeatNames: distinct for each, below 2^53. SplitMix64
// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
int64_t RepeatSeed(int64_t run_seed, int64_t position);

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_NAMES_H_

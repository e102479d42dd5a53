#include "worker/measure/cache_state.h"

#include "lib/base/number.h"

namespace fairlap::measure {
namespace {

using api::Cache;
using api::CacheState;

constexpr double kLeastCold = 0.99, kMostCold = 1.20;
constexpr double kMostWarm = 0.01;

// Why no count of fetched bytes could show the state; "" if one can.
std::string Unobservable(const CacheEvidence& evidence) {
  if (evidence.files == 0) {
    return "the samples are held in memory since indexing, and no file is read while training";
  }
  if (!evidence.one_file_system) return "the files lie on several file systems";
  if (CountingOf(evidence.file_system) == FetchCounting::kNone) {
    return "on " + evidence.file_system + " it cannot be verified what is fetched from storage";
  }
  return "";
}

// What the sampled pages say against a cold cache; "" if nothing.
std::string NotEvicted(const CacheEvidence& evidence) {
  const PageSamples sample = evidence.sample.value_or(PageSamples{});
  if (sample.resident > 0) {
    return std::to_string(sample.resident) + " of " + std::to_string(sample.probed) +
           " sampled pages stayed in memory when they were evicted; does someone else use the "
           "files?";
  }
  if (sample.probed == 0 && CountingOf(evidence.file_system) != FetchCounting::kServer) {
    return "it could not be seen which pages are in memory";
  }
  return "";
}

std::string Fetched(double ratio) {
  return base::FormatNumber(100 * ratio) + " % of the bytes were fetched in the first pass";
}

CacheVerdict JudgeFetched(const CacheEvidence& evidence, double ratio) {
  if (evidence.asked == Cache::kWarm) {
    if (ratio <= kMostWarm) return {CacheState::kWarm, Fetched(ratio)};
    return {CacheState::kUnverified, Fetched(ratio) +
                                         ", and of warm files at most 1 % may be; do "
                                         "they fit into memory?"};
  }
  if (ratio < kLeastCold || ratio > kMostCold) {
    return {CacheState::kUnverified, Fetched(ratio) + ", and of cold files 99 to 120 % must be"};
  }
  const PageSamples sample = evidence.sample.value_or(PageSamples{});
  return {CacheState::kCold, "0 of " + std::to_string(sample.probed) +
                                 " sampled pages were in memory, " + Fetched(ratio)};
}

}  // namespace

FetchCounting CountingOf(std::string_view file_system) {
  if (file_system == "ext4" || file_system == "xfs") return FetchCounting::kDevice;
  if (file_system == "nfs" || file_system == "nfs4") return FetchCounting::kServer;
  return FetchCounting::kNone;
}

CacheVerdict JudgeCache(const CacheEvidence& evidence) {
  if (evidence.asked == Cache::kAsIs) return {CacheState::kAsIs, ""};
  if (std::string why = Unobservable(evidence); !why.empty()) {
    return {CacheState::kUnverified, std::move(why)};
  }
  if (evidence.asked == Cache::kCold) {
    if (std::string why = NotEvicted(evidence); !why.empty()) {
      return {CacheState::kUnverified, std::move(why)};
    }
  }
  if (evidence.requested_bytes == 0) {
    return {CacheState::kUnverified, "the first pass over the files is not finished"};
  }
  if (!evidence.fetched_bytes) {
    return {CacheState::kUnverified, "the system does not tell how many bytes were fetched"};
  }
  return JudgeFetched(evidence, static_cast<double>(*evidence.fetched_bytes) /
                                    static_cast<double>(evidence.requested_bytes));
}

}  // namespace fairlap::measure

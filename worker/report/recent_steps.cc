#include "worker/report/recent_steps.h"

namespace fairlap::report {
namespace {

constexpr double kRecentSeconds = 5;

}  // namespace

void RecentSteps::Add(double seconds, int64_t samples) {
  steps_.push_back({seconds, samples});
  seconds_ += seconds;
  samples_ += samples;
  while (steps_.size() > 1 && seconds_ - steps_.front().seconds >= kRecentSeconds) {
    seconds_ -= steps_.front().seconds;
    samples_ -= steps_.front().samples;
    steps_.pop_front();
  }
}

std::optional<double> RecentSteps::SamplesPerSecond() const {
  if (steps_.empty() || seconds_ <= 0) return std::nullopt;
  return static_cast<double>(samples_) / seconds_;
}

std::optional<double> RecentSteps::SecondsPerStep() const {
  if (steps_.empty()) return std::nullopt;
  return seconds_ / static_cast<double>(steps_.size());
}

}  // namespace fairlap::report

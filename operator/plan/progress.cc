#include "operator/plan/progress.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "operator/plan/attempts.h"
#include "operator/plan/marks.h"
#include "operator/plan/repeats.h"

namespace fairlap::plan {
namespace {

constexpr double kAll = 100;  // percent

size_t CountOver(const api::RunStatus& status) {
  return static_cast<size_t>(
      std::count_if(status.repeats.begin(), status.repeats.end(),
                    [](const api::RepeatStatus& repeat) { return IsOver(repeat.outcome); }));
}

double PercentOfRepeat(const std::optional<api::Progress>& worker) {
  return std::clamp(worker ? worker->percent.value_or(0) : 0.0, 0.0, kAll);
}

// Mean time in the container of the repeats that succeeded.
std::optional<double> SecondsOfFinishedRepeat(const api::RunStatus& status) {
  double sum = 0;
  int count = 0;
  for (const api::RepeatStatus& repeat : status.repeats) {
    const api::AttemptStatus* attempt = LastAttempt(repeat);
    if (attempt == nullptr || attempt->outcome != api::Outcome::kSucceeded) continue;
    const auto seconds = SecondsBetween(attempt->marks.container_started, attempt->marks.finished);
    if (!seconds) continue;
    sum += *seconds;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<double> Eta(const api::RunStatus& status,
                          const std::optional<api::Progress>& worker) {
  if (!worker || !worker->eta_seconds) return std::nullopt;
  const size_t after_this = status.repeats.size() - CountOver(status) - 1;
  if (after_this == 0) return worker->eta_seconds;
  std::optional<double> each = SecondsOfFinishedRepeat(status);
  const double percent = PercentOfRepeat(worker);
  // The first repeat: its own pace, from what it has left.
  if (!each && percent < kAll) each = *worker->eta_seconds / (1 - percent / kAll);
  if (!each) return std::nullopt;
  return *worker->eta_seconds + static_cast<double>(after_this) * *each;
}

// "2/3 41%"; "w1 5%" for a warm-up run.
std::string Text(const api::RunStatus& status, const api::RepeatStatus* repeat, double percent) {
  std::string text;
  if (repeat != nullptr && repeat->warmup) {
    text = repeat->name;
  } else {
    const auto counted =
        std::count_if(status.repeats.begin(), status.repeats.end(),
                      [](const api::RepeatStatus& other) { return !other.warmup; });
    text = (repeat == nullptr ? "0" : repeat->name) + "/" + std::to_string(counted);
  }
  return text + " " + std::to_string(static_cast<int>(std::floor(percent))) + "%";
}

const api::RepeatStatus* CurrentRepeat(const api::RunStatus& status, std::optional<size_t> active) {
  if (active) return &status.repeats[*active];
  const api::RepeatStatus* last = nullptr;
  for (const api::RepeatStatus& repeat : status.repeats) {
    if (!repeat.attempts.empty()) last = &repeat;
  }
  return last;
}

// A worker that does not answer for a moment, at its end say, has not lost what it did.
double PercentSoFar(const api::RunStatus& status, const api::RepeatStatus& repeat) {
  const api::AttemptStatus* attempt = LastAttempt(repeat);
  const bool started = attempt != nullptr && attempt->marks.container_started.has_value();
  const bool known = status.progress && status.progress->repeat == repeat.name;
  return started && known ? status.progress->percent.value_or(0) : 0;
}

bool SaysTheSame(api::RunProgress a, api::RunProgress b) {
  a.updated_time.reset();
  b.updated_time.reset();
  return base::Encode(a) == base::Encode(b);
}

}  // namespace

api::RunProgress MakeProgress(const api::RunStatus& status, std::optional<size_t> active,
                              const std::optional<api::Progress>& worker, base::WallTime now) {
  api::RunProgress progress;
  const double over = static_cast<double>(CountOver(status));
  const double running = active ? PercentOfRepeat(worker) / kAll : 0;
  const double total = std::max<double>(1, static_cast<double>(status.repeats.size()));
  progress.percent = kAll * (over + running) / total;
  const api::RepeatStatus* repeat = CurrentRepeat(status, active);
  if (active && !worker) {
    progress.percent = std::max(*progress.percent, PercentSoFar(status, *repeat));
  }
  progress.text = Text(status, repeat, *progress.percent);
  if (repeat != nullptr) progress.repeat = repeat->name;
  if (active) {
    progress.worker = worker;
    progress.eta_seconds = Eta(status, worker);
  }
  const bool same = status.progress && SaysTheSame(*status.progress, progress);
  progress.updated_time = same ? status.progress->updated_time : base::FormatTime(now);
  return progress;
}

}  // namespace fairlap::plan

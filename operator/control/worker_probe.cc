#include "operator/control/worker_probe.h"

#include <utility>
#include <vector>

#include "lib/api/documents.h"
#include "lib/base/codec.h"

namespace fairlap::control {

WorkerProbe::WorkerProbe(std::chrono::milliseconds interval, Fetch fetch,
                         std::function<void(const std::string& run_key)> on_news)
    : interval_(interval),
      fetch_(std::move(fetch)),
      on_news_(std::move(on_news)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void WorkerProbe::Follow(const std::string& run_key, const std::optional<std::string>& url) {
  const std::lock_guard lock(mutex_);
  if (!url) {
    targets_.erase(run_key);
    return;
  }
  Target& target = targets_[run_key];
  if (target.url != *url) target = {*url, {}};
}

ProbeResult WorkerProbe::Latest(const std::string& run_key) const {
  const std::lock_guard lock(mutex_);
  const auto found = targets_.find(run_key);
  return found != targets_.end() ? found->second.result : ProbeResult{};
}

void WorkerProbe::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    AskAll(stop);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, interval_, [] { return false; });
  }
}

void WorkerProbe::AskAll(const std::stop_token& stop) {
  std::vector<std::pair<std::string, std::string>> questions;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [run_key, target] : targets_) questions.emplace_back(run_key, target.url);
  }
  for (const auto& [run_key, url] : questions) {
    const auto answer = fetch_(url, stop);
    if (stop.stop_requested()) return;
    if (Note(run_key, url, answer)) on_news_(run_key);
  }
}

bool WorkerProbe::Note(const std::string& run_key, const std::string& url,
                       const base::Result<api::Progress>& answer) {
  const std::lock_guard lock(mutex_);
  const auto found = targets_.find(run_key);
  if (found == targets_.end() || found->second.url != url) return false;
  ProbeResult& result = found->second.result;
  const std::string problem = answer ? "" : answer.error().message;
  bool news = problem != result.problem;
  result.problem = problem;
  if (answer) {
    news = news || !result.progress || base::Encode(*result.progress) != base::Encode(*answer);
    result.progress = *answer;
  }
  return news;
}

}  // namespace fairlap::control

// Asks the workers that run how far they are, in the background: no run waits for another's worker.
#ifndef FAIRLAP_OPERATOR_CONTROL_WORKER_PROBE_H_
#define FAIRLAP_OPERATOR_CONTROL_WORKER_PROBE_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "lib/api/figures.h"
#include "lib/base/result.h"

namespace fairlap::control {

struct ProbeResult {
  std::optional<api::Progress> progress;  // the last answer
  std::string problem;                    // "" if the last question was answered
};

// Thread-safe; one thread of its own.
class WorkerProbe {
 public:
  using Fetch = std::function<base::Result<api::Progress>(const std::string& url, std::stop_token)>;
  // `on_news` is told the run whose result has changed, in the probe's thread.
  WorkerProbe(std::chrono::milliseconds interval, Fetch fetch,
              std::function<void(const std::string& run_key)> on_news);

  // From now on this worker is asked for the run; nullopt: none is. A new address forgets the old
  // one's answers.
  void Follow(const std::string& run_key, const std::optional<std::string>& url);
  ProbeResult Latest(const std::string& run_key) const;

 private:
  struct Target {
    std::string url;
    ProbeResult result;
  };
  void Run(const std::stop_token& stop);
  void AskAll(const std::stop_token& stop);
  // True if it is news.
  bool Note(const std::string& run_key, const std::string& url,
            const base::Result<api::Progress>& answer);

  const std::chrono::milliseconds interval_;
  const Fetch fetch_;
  const std::function<void(const std::string&)> on_news_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Target> targets_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_WORKER_PROBE_H_

// Which runs are to be looked at, and when. Adding a key twice is one visit; a key is never given
// to two threads at once; one that is added while it is worked on comes again afterwards.
#ifndef FAIRLAP_OPERATOR_CONTROL_WORK_QUEUE_H_
#define FAIRLAP_OPERATOR_CONTROL_WORK_QUEUE_H_

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "lib/base/clock.h"

namespace fairlap::control {

// Thread-safe.
class WorkQueue {
 public:
  explicit WorkQueue(const base::Clock& clock) : clock_(clock) {}  // must outlive it

  void Add(const std::string& key) { AddAt(key, clock_.Now()); }
  // The earliest of several times counts.
  void AddAt(const std::string& key, base::SteadyTime due);
  // After a failure: 0.5 s, doubling with each one in a row, at most 60 s.
  void Retry(const std::string& key);
  void Forget(const std::string& key);  // failures so far do not count any more

  // The key that is due first, or nullopt if none is. Whoever takes one has to call Done.
  std::optional<std::string> TryTake();
  // Waits for one; nullopt once `stop` is requested.
  std::optional<std::string> Take(std::stop_token stop);
  void Done(const std::string& key);

  size_t depth() const;  // keys that are due and not yet taken

 private:
  void Schedule(const std::string& key, base::SteadyTime due);  // mutex_ held
  std::optional<std::string> TakeDue();                         // mutex_ held

  const base::Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, base::SteadyTime> due_;                   // waiting keys
  std::set<std::pair<base::SteadyTime, std::string>> by_time_;    // the same
  std::map<std::string, std::optional<base::SteadyTime>> taken_;  // with when they are due again
  std::map<std::string, int> failures_;
};

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_WORK_QUEUE_H_

// The operator at work: watches, queue and worker threads of every namespace it looks after.
#ifndef FAIRLAP_OPERATOR_CONTROL_CONTROLLER_H_
#define FAIRLAP_OPERATOR_CONTROL_CONTROLLER_H_

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/clock.h"
#include "operator/control/metrics.h"
#include "operator/control/reconciler.h"
#include "operator/control/work_queue.h"
#include "operator/control/worker_probe.h"
#include "operator/kube/client.h"
#include "operator/kube/watcher.h"

namespace fairlap::control {

struct ControllerOptions {
  std::vector<std::string> namespaces;  // empty: every one
  plan::Settings settings;
  int workers = 2;  // runs that are visited at once
  std::chrono::milliseconds probe_interval{2000};
  uint64_t seed = 0;  // of the seeds of runs that name none
};

// Starts with its construction. Thread-safe.
class Controller {
 public:
  // `client`, `metrics` and `clock` must outlive it.
  Controller(ControllerOptions options, kube::Client& client, Metrics& metrics,
             const base::Clock& clock);
  // Takes no new visits, lets those that go on finish for at most `patience`, then stops them.
  ~Controller();

  bool synced() const;  // everything was listed once
  std::string MetricsText();
  void Drain(std::chrono::milliseconds patience);

 private:
  class Scope;  // one namespace, or all
  void Work(const std::stop_token& stop);
  void Visit(const std::string& run_key);
  Scope* ScopeOf(const std::string& run_key);

  const ControllerOptions options_;
  const base::Clock& clock_;
  Metrics& metrics_;
  WorkQueue queue_;
  WorkerProbe probe_;
  Reconciler reconciler_;
  std::vector<std::unique_ptr<Scope>> scopes_;
  std::stop_source abort_;  // of visits that go on
  std::vector<std::jthread> workers_;
};

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_CONTROLLER_H_

// One visit of one run: observe, plan, act, write the status once, tell the events.
#ifndef FAIRLAP_OPERATOR_CONTROL_RECONCILER_H_
#define FAIRLAP_OPERATOR_CONTROL_RECONCILER_H_

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "operator/control/executor.h"
#include "operator/control/worker_probe.h"
#include "operator/kube/client.h"
#include "operator/kube/store.h"
#include "operator/plan/plan.h"

namespace fairlap::control {

// What the watchers see; all of them must have been listed once before the first visit.
struct Stores {
  const kube::Store& runs;
  const kube::Store& jobs;
  const kube::Store& pods;
  const kube::Store& claims;
  const kube::Store& warnings;  // events
};

// Thread-safe, for different keys at once. Everything that it keeps in memory can be found out
// again after a restart.
class Reconciler {
 public:
  // All but `settings` must outlive it. `seed` starts the seeds of runs that name none.
  Reconciler(plan::Settings settings, kube::Client& client, WorkerProbe& probe,
             const base::Clock& clock, uint64_t seed);

  // When to come again without being woken, or why the visit has to be repeated.
  base::Result<std::optional<base::WallTime>> Visit(const std::string& run_key,
                                                    const Stores& stores, std::stop_token stop);

 private:
  // What a visit leaves for the next one of the same run.
  struct Memory {
    Applied last;
    std::map<std::string, std::string> reports;          // by job: where it is kept
    std::map<std::string, std::string> report_problems;  // by job: given up, and why
    std::map<std::string, int> report_tries;             // by job
    bool report_pending = false;                         // one is to be tried again
  };

  plan::Observed Observe(plan::ObservedRun run, const std::string& run_key, const Stores& stores,
                         Memory& memory, const std::stop_token& stop);
  void FindReport(const base::Json& job, const std::vector<kube::Object>& pods,
                  const plan::ObservedRun& run, plan::ObservedJob& seen, Memory& memory,
                  const std::stop_token& stop);
  void KeepReportOf(const std::string& job, const kube::Object& pod, const plan::ObservedRun& run,
                    Memory& memory, const std::stop_token& stop);
  base::Status Finish(const plan::Plan& plan, const base::Json& document,
                      const plan::ObservedRun& run, const std::stop_token& stop);
  Memory Recall(const std::string& run_key);
  void Remember(const std::string& run_key, Memory memory);
  void Forget(const std::string& run_key);
  int64_t FreshSeed();

  const plan::Settings settings_;
  kube::Client& client_;
  WorkerProbe& probe_;
  const base::Clock& clock_;
  std::mutex mutex_;
  base::Random random_;
  std::map<std::string, Memory> memories_;
};

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_RECONCILER_H_

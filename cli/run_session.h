// One local run from its first repeat to its last: asks the planner what to do, does it, looks
// again.
#ifndef FAIRLAP_CLI_RUN_SESSION_H_
#define FAIRLAP_CLI_RUN_SESSION_H_

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "cli/local_executor.h"
#include "cli/out_folder.h"
#include "cli/progress_poller.h"
#include "cli/run_report.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "lib/base/clock.h"
#include "operator/plan/plan.h"

namespace fairlap::cli {

struct SessionResult {
  report::RunReport report;
  std::optional<int> signal;  // the user's, if one ended the run
  base::Status written;       // whether report.json could be written, in the end
  base::Status carried_out;   // whether every action could be carried out
};

class RunSession {
 public:
  // All but `run` must outlive the session. `fresh_seed` is used if the spec names no seed.
  RunSession(plan::ObservedRun run, int64_t fresh_seed, LocalExecutor& executor,
             const OutFolder& out, Signals& signals, Terminal& terminal, const base::Clock& clock);

  // Blocks until the run is over: complete, failed or interrupted.
  SessionResult Run();

 private:
  void TakeSignals();
  void ApplyActions(const plan::Plan& plan);
  void Record(bool done);
  void AnnounceRepeats();
  void ShowProgress();
  void FollowWorker();
  void Wait(const std::optional<base::WallTime>& look_again);

  plan::Observed observed_;
  LocalExecutor& executor_;
  const OutFolder& out_;
  Signals& signals_;
  Terminal& terminal_;
  const base::Clock& clock_;
  SessionResult result_;
  ReportsByJob reports_;
  std::set<std::string> announced_;  // repeats whose end was told
  bool report_exists_ = false;
  std::string polled_job_;
  std::unique_ptr<ProgressPoller> poller_;
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_RUN_SESSION_H_

// The planner: from what was observed of one run to everything that should happen next. Pure: no
// client, no clock, no randomness. Level-based: it never learns what woke it, so whoever calls it
// again after a crash gets the same answer. The operator's executor and the CLI's local one carry
// out the same plans.
#ifndef FAIRLAP_OPERATOR_PLAN_PLAN_H_
#define FAIRLAP_OPERATOR_PLAN_PLAN_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "lib/api/figures.h"
#include "lib/api/spec.h"
#include "lib/api/status.h"
#include "lib/base/clock.h"
#include "lib/base/json.h"

namespace fairlap::plan {

// From the operator's configuration (values.yaml), or the CLI's fixed ones.
struct Settings {
  std::string worker_image = "fairlap-worker";  // where spec.software.image is absent
  int64_t worker_port = 9400;                   // /metrics and /v1/progress
};

struct ObservedRun {
  std::string name, ns, uid;
  int64_t generation = 1;
  base::WallTime created{};
  bool deleting = false;
  api::RunSpec spec;
  api::RunStatus status;  // as last written
};

enum class JobPhase { kPending, kRunning, kSucceeded, kFailed };

// One Job with its pod, or one local process.
struct ObservedJob {
  std::string name, uid;
  bool owned = true;  // its controller owner is this run, by UID
  JobPhase phase = JobPhase::kPending;
  std::optional<base::WallTime> created, admitted, scheduled, image_ready, container_started,
      finished;
  std::vector<std::string> nodes;
  std::string reason;                 // CamelCase, of a failure or of what it waits for
  std::string message;                // the cluster's or the system's own words
  std::string termination_message;    // as the worker left it: a WorkerSummary, cut, or ""
  std::optional<std::string> report;  // where the full report is
  std::string report_problem;         // why there will be none; "" while there may
  bool interrupted = false;           // stopped by its user (Ctrl-C, suspend)
};

struct Refusal {
  std::string message;
  bool final = false;  // trying again cannot help: the object itself is invalid
};

struct Observed {
  ObservedRun run;
  std::vector<ObservedJob> jobs;
  std::set<std::string> config_maps;      // names of ours that exist
  std::set<std::string> claims;           // names of ours that exist
  std::optional<api::Progress> progress;  // of the job that runs now
  // A worker runs and does not answer, and why; "" where it answers or nobody asks it.
  std::string progress_problem;
  // An object of somebody else's that has a name which we need: "PersistentVolumeClaim demo-data".
  std::optional<std::string> foreign;
  // The last attempt to create something was refused, in the cluster's words.
  std::optional<Refusal> refusal;
  int64_t fresh_seed = 0;  // drawn by the caller; used once, if the spec names none
  bool cancelled = false;  // the user asked to stop: start nothing more
};

struct CreateObject {
  base::Json object;  // complete, with apiVersion, kind, metadata and owner reference
};
struct DeleteObject {
  std::string kind, name, uid;
};
using Action = std::variant<CreateObject, DeleteObject>;

struct Event {
  std::string type;    // Normal | Warning
  std::string reason;  // from reasons.h
  std::string message;
};

struct Plan {
  std::vector<Action> actions;  // in this order; stop at the first that fails
  api::RunStatus status;        // complete; written once, after the actions
  std::vector<Event> events;    // sent after the status was written
  std::optional<base::WallTime> look_again;
  bool done = false;  // Complete or Failed, and nothing left to do
};

// The run's time to live after its end is over: it is to be deleted.
bool IsExpired(const api::RunSpec& spec, const api::RunStatus& status, base::WallTime now);

Plan MakePlan(const Observed& observed, const Settings& settings, base::WallTime now);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_PLAN_H_

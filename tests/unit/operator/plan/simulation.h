// A Job controller in miniature: it carries out plans, moves its jobs on by one stage a tick, and
// can crash between any two effects. Time moves with ticks alone.
#ifndef FAIRLAP_TESTS_UNIT_OPERATOR_PLAN_SIMULATION_H_
#define FAIRLAP_TESTS_UNIT_OPERATOR_PLAN_SIMULATION_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "operator/plan/plan.h"

namespace fairlap::plan {

// What becomes of a job.
enum class Fate {
  kSucceeds,
  kFails,         // after its container started
  kNeverStarts,   // its pod is refused
  kHangsPending,  // scheduled, and then nothing
  kHangsQueued,   // never scheduled
  kHangsRunning,
  kLeavesCutMessage,  // succeeds, but its termination message is cut
};

class Simulation {
 public:
  // A CPU run on synthetic data: one warm-up run, two counted repeats, seed 7.
  Simulation();

  // Plans once and carries the plan out.
  Plan Step();
  // Steps until nothing is left to do at this moment; every plan is checked on its way.
  void Settle();
  // Jobs move on by one stage, the clock by a second.
  void Tick();
  // Settles and ticks until the run is done; at most `max_ticks`. The final status must lie within
  // the API's bounds.
  bool RunToEnd(int max_ticks = 200);

  Observed Observe() const;
  const api::RepeatStatus& RepeatNamed(const std::string& name) const;
  std::vector<std::string> EventReasons() const;
  int64_t UnfinishedJobs() const;

  ObservedRun run;
  std::map<std::string, ObservedJob> jobs;  // by name
  std::set<std::string> config_maps, claims;
  std::optional<api::Progress> progress;
  int64_t fresh_seed = 11;
  bool cancelled = false;
  base::WallTime now;
  std::map<std::string, Fate> fates;  // by job; absent: succeeds
  std::vector<Event> events;
  std::vector<std::string> log;        // "create Job x", "delete Job x", in order
  int64_t effects = 0;                 // actions and status writes carried out
  std::optional<int64_t> crash_after;  // effects, once

 private:
  bool Effect();  // false: the process died before it
  void Apply(const Action& action);
  void Advance(ObservedJob& job);

  std::string written_;  // the status as last written
};

// A worker's summary as its termination message.
std::string TerminationMessage(api::Outcome outcome, base::WallTime started, double rate);

std::string ToText(const api::RunStatus& status);

}  // namespace fairlap::plan

#endif  // FAIRLAP_TESTS_UNIT_OPERATOR_PLAN_SIMULATION_H_

// The status of a BenchmarkRun, field for field as in the CRD. Written by the planner only.
#ifndef FAIRLAP_LIB_API_STATUS_H_
#define FAIRLAP_LIB_API_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/figures.h"
#include "lib/api/spec.h"
#include "lib/stats/summary.h"

namespace fairlap::api {

enum class ConditionStatus { kTrue, kFalse, kUnknown };

// metav1.Condition.
struct Condition {
  std::string type;
  ConditionStatus status = ConditionStatus::kUnknown;
  std::string reason;
  std::string message;
  std::string last_transition_time;
  int64_t observed_generation = 0;
  bool operator==(const Condition&) const = default;

  template <class V>
  static void Describe(V& v) {
    v(&Condition::type, "type", Text(1, 316));
    v(&Condition::status, "status", Plain());
    v(&Condition::reason, "reason", Text(1, 128, "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"));
    v(&Condition::message, "message", Text(0, 1024));
    v(&Condition::last_transition_time, "lastTransitionTime", Text(20, 27));
    v(&Condition::observed_generation, "observedGeneration", Integer(0, kMaxSafeInteger));
  }
};

// One try at a repeat: one Job.
struct AttemptStatus {
  int64_t attempt = 1;
  std::string job;
  Outcome outcome = Outcome::kPending;
  std::optional<std::string> reason;
  std::optional<std::string> message;
  std::vector<std::string> nodes;
  ClockMarks marks;
  std::optional<std::string> report;  // where its full report is: a file or a ConfigMap
  std::vector<std::string> lost;      // figures that could not be recovered, and why

  template <class V>
  static void Describe(V& v) {
    v(&AttemptStatus::attempt, "attempt", Integer(1, 5));
    v(&AttemptStatus::job, "job", Text(1, 63));
    v(&AttemptStatus::outcome, "outcome", Plain());
    v(&AttemptStatus::reason, "reason", Text(1, 64));
    v(&AttemptStatus::message, "message", Text(0, 256));
    v(&AttemptStatus::nodes, "nodes", Texts(0, 8, 1, 253));
    v(&AttemptStatus::marks, "marks", Plain());
    v(&AttemptStatus::report, "report", Text(1, 512));
    v(&AttemptStatus::lost, "lost", Texts(0, 8, 1, 128));
  }
};

struct RepeatStatus {
  std::string name;  // "w1" for the first warm-up run, "1" for the first counted repeat
  bool warmup = false;
  int64_t seed = 0;
  Outcome outcome = Outcome::kPending;
  std::vector<AttemptStatus> attempts;
  std::optional<RepeatFigures> figures;  // of the attempt that counts

  template <class V>
  static void Describe(V& v) {
    v(&RepeatStatus::name, "name", Text(1, 3, "^(w?[1-9][0-9]?)$"));
    v(&RepeatStatus::warmup, "warmup", Plain());
    v(&RepeatStatus::seed, "seed", Integer(0, kMaxSafeInteger));
    v(&RepeatStatus::outcome, "outcome", Plain());
    v(&RepeatStatus::attempts, "attempts", Items(0, 5));
    v(&RepeatStatus::figures, "figures", Plain());
  }
};

// Summaries over the counted repeats. Absent until one has finished.
struct RunSummary {
  std::optional<stats::Summary> samples_per_second, time_to_first_result_seconds,
      time_to_results_seconds, time_to_accuracy_seconds, data_stall_ratio, top1, psnr_decibels,
      final_loss, cost;
  std::vector<std::string> flags;  // what stands beside the figures: "unsteady: ...", "short: ..."
  bool mixed = false;              // repeats whose fingerprints differ: no common summary

  template <class V>
  static void Describe(V& v) {
    v(&RunSummary::samples_per_second, "samplesPerSecond", Plain());
    v(&RunSummary::time_to_first_result_seconds, "timeToFirstResultSeconds", Plain());
    v(&RunSummary::time_to_results_seconds, "timeToResultsSeconds", Plain());
    v(&RunSummary::time_to_accuracy_seconds, "timeToAccuracySeconds", Plain());
    v(&RunSummary::data_stall_ratio, "dataStallRatio", Plain());
    v(&RunSummary::top1, "top1", Plain());
    v(&RunSummary::psnr_decibels, "psnrDecibels", Plain());
    v(&RunSummary::final_loss, "finalLoss", Plain());
    v(&RunSummary::cost, "cost", Plain());
    v(&RunSummary::flags, "flags", Texts(0, 16, 1, 256));
    v(&RunSummary::mixed, "mixed", Plain());
  }
};

// SHA-256 in hex over the canonical observed facts of each axis.
struct Fingerprints {
  std::optional<std::string> software, problem, compute, storage;
  template <class V>
  static void Describe(V& v) {
    constexpr base::Bounds hex = Text(64, 64, "^[0-9a-f]{64}$");
    v(&Fingerprints::software, "software", hex);
    v(&Fingerprints::problem, "problem", hex);
    v(&Fingerprints::compute, "compute", hex);
    v(&Fingerprints::storage, "storage", hex);
  }
};

// Where the run stands now; percent and eta are of the whole run.
struct RunProgress {
  std::string text;  // printer column: "2/3 41%"
  std::string repeat;
  std::optional<double> percent;
  std::optional<double> eta_seconds;
  std::optional<std::string> updated_time;
  std::optional<Progress> worker;

  template <class V>
  static void Describe(V& v) {
    v(&RunProgress::text, "text", Text(0, 64));
    v(&RunProgress::repeat, "repeat", Text(0, 3));
    v(&RunProgress::percent, "percent", Plain());
    v(&RunProgress::eta_seconds, "etaSeconds", Plain());
    v(&RunProgress::updated_time, "updatedTime", Text(20, 27));
    v(&RunProgress::worker, "worker", Plain());
  }
};

struct RunStatus {
  std::optional<int64_t> observed_generation;
  std::vector<Condition> conditions;
  std::optional<std::string> state;  // printer column, derived from the conditions
  std::optional<int64_t> seed;       // from the spec, or drawn
  std::optional<std::string> start_time;
  std::optional<std::string> completion_time;
  std::optional<RunProgress> progress;
  std::vector<RepeatStatus> repeats;  // warm-up runs first
  std::optional<RunSummary> summary;
  std::optional<Fingerprints> fingerprints;

  template <class V>
  static void Describe(V& v) {
    v(&RunStatus::observed_generation, "observedGeneration", Integer(0, kMaxSafeInteger));
    v(&RunStatus::conditions, "conditions", Items(0, 16));
    v(&RunStatus::state, "state", Text(1, 32));
    v(&RunStatus::seed, "seed", Integer(0, kMaxSafeInteger));
    v(&RunStatus::start_time, "startTime", Text(20, 27));
    v(&RunStatus::completion_time, "completionTime", Text(20, 27));
    v(&RunStatus::progress, "progress", Plain());
    v(&RunStatus::repeats, "repeats", Items(0, 60));
    v(&RunStatus::summary, "summary", Plain());
    v(&RunStatus::fingerprints, "fingerprints", Plain());
  }
};

}  // namespace fairlap::api

namespace fairlap::base {
template <>
inline constexpr std::array kEnumNames<api::ConditionStatus> = {"True"sv, "False"sv, "Unknown"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_STATUS_H_

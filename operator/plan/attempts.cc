#include "operator/plan/attempts.h"

#include <utility>
#include <vector>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "lib/base/json.h"
#include "operator/plan/marks.h"
#include "operator/plan/reasons.h"
#include "operator/plan/repeats.h"
#include "operator/plan/text.h"

namespace fairlap::plan {
namespace {

constexpr size_t kMaxListedNodes = 8;

bool HasEnded(JobPhase phase) {
  return phase == JobPhase::kSucceeded || phase == JobPhase::kFailed;
}

std::optional<std::string> NonEmpty(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

void Explain(std::string reason, std::string_view message, api::AttemptStatus& attempt) {
  attempt.reason = NonEmpty(std::move(reason));
  attempt.message = NonEmpty(Cut(message, kMaxAttemptMessageBytes));
}

api::Outcome OutcomeOf(const ObservedJob& job, const WorkerMessage& worker) {
  const bool worker_failed = worker.summary && worker.summary->outcome != api::Outcome::kSucceeded;
  if (job.phase == JobPhase::kSucceeded && !worker_failed) return api::Outcome::kSucceeded;
  if (job.interrupted) return api::Outcome::kInterrupted;
  if (job.phase == JobPhase::kFailed && !job.container_started) return api::Outcome::kNotStarted;
  return api::Outcome::kFailed;
}

void ExplainFailure(const ObservedJob& job, const WorkerMessage& worker,
                    api::AttemptStatus& attempt) {
  const bool never_started = attempt.outcome == api::Outcome::kNotStarted;
  std::string reason = ReasonOr(job.reason, never_started ? kNeverStarted : kJobFailed);
  std::string message = job.message;
  if (worker.summary && worker.summary->outcome != api::Outcome::kSucceeded) {
    // The worker knows better than the cluster why it gave up.
    reason = ReasonOr(worker.summary->reason, reason);
    if (!worker.summary->message.empty()) message = worker.summary->message;
  }
  if (attempt.outcome == api::Outcome::kInterrupted) reason = kInterrupted;
  Explain(std::move(reason), message, attempt);
}

void NameLostFigures(const ObservedJob& job, const std::string& problem,
                     api::AttemptStatus& attempt) {
  std::string why = problem;
  if (!job.reason.empty()) why += " (" + job.reason + ")";
  attempt.lost = {Cut("figures: " + why, kMaxLostBytes),
                  Cut("marks after containerStarted: " + why, kMaxLostBytes)};
}

}  // namespace

bool IsOver(api::Outcome outcome) {
  return outcome != api::Outcome::kPending && outcome != api::Outcome::kRunning;
}

bool WasSeen(const api::AttemptStatus& attempt) { return attempt.marks.job_created.has_value(); }

WorkerMessage ReadTerminationMessage(const std::string& text) {
  if (text.empty()) return {std::nullopt, "the worker left no termination message"};
  if (text.size() > api::kTerminationMessageMaxBytes) {
    return {std::nullopt, "the termination message is longer than 4096 bytes"};
  }
  const auto json = base::ParseJson(text, "termination message");
  if (!json) return {std::nullopt, "the termination message is cut or is no JSON"};
  api::WorkerSummary summary;
  base::Problems problems;
  base::Decode(*json, "", summary, problems, base::UnknownFields::kIgnore);
  if (problems.empty()) return {std::move(summary), ""};
  return {std::nullopt, "the termination message is wrong at " + problems.front().path};
}

std::optional<api::RepeatFigures> ObserveAttempt(const ObservedJob& job,
                                                 const api::ComputeSpec& compute,
                                                 api::AttemptStatus& attempt) {
  MergeJobTimes(job, attempt.marks);
  if (!job.nodes.empty()) attempt.nodes = job.nodes;
  if (attempt.nodes.size() > kMaxListedNodes) attempt.nodes.resize(kMaxListedNodes);
  if (!HasEnded(job.phase)) {
    const bool running = job.phase == JobPhase::kRunning;
    attempt.outcome = running ? api::Outcome::kRunning : api::Outcome::kPending;
    Explain(running ? "" : ReasonOr(job.reason, ""), running ? "" : job.message, attempt);
    return std::nullopt;
  }
  const WorkerMessage worker = ReadTerminationMessage(job.termination_message);
  attempt.outcome = OutcomeOf(job, worker);
  Explain("", "", attempt);
  if (attempt.outcome != api::Outcome::kSucceeded) ExplainFailure(job, worker, attempt);
  if (attempt.outcome == api::Outcome::kNotStarted) return std::nullopt;
  if (!worker.summary) {
    NameLostFigures(job, worker.problem, attempt);
    return std::nullopt;
  }
  if (!MergeWorkerMarks(worker.summary->marks, attempt.marks)) {
    attempt.lost = {"marks: the worker's termination message holds times that are none"};
  }
  api::RepeatFigures figures = worker.summary->figures;
  AddTimes(attempt.marks, figures);
  figures.cost = Cost(compute, attempt.marks);
  return figures;
}

void EndAttempt(api::Outcome outcome, std::string reason, std::string message,
                api::AttemptStatus& attempt) {
  attempt.outcome = outcome;
  Explain(std::move(reason), message, attempt);
}

std::string Reasons(const api::AttemptStatus& attempt) {
  std::vector<std::string> parts;
  if (attempt.reason) parts.push_back(*attempt.reason);
  if (attempt.message) parts.push_back(*attempt.message);
  return Join(parts, ": ");
}

std::string FirstFailure(const api::RunStatus& status) {
  for (const api::RepeatStatus& repeat : status.repeats) {
    const api::AttemptStatus* last = LastAttempt(repeat);
    if (last == nullptr || !IsOver(repeat.outcome) || repeat.outcome == api::Outcome::kSucceeded) {
      continue;
    }
    const std::string why = Reasons(*last);
    return "job " + last->job + (why.empty() ? "" : ": " + why);
  }
  return "";
}

}  // namespace fairlap::plan

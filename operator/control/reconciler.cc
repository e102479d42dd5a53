#include "operator/control/reconciler.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "operator/control/documents.h"
#include "operator/control/observe.h"
#include "operator/control/report_keeper.h"
#include "operator/plan/attempts.h"
#include "operator/plan/conditions.h"
#include "operator/plan/fit.h"

namespace fairlap::control {
namespace {

using base::ErrorKind;
using base::Json;

// Then a report that cannot be had counts as lost.
constexpr int kReportTries = 5;
constexpr std::chrono::seconds kReportPause{2};

bool HasEnded(const plan::ObservedJob& job) {
  return job.phase == plan::JobPhase::kSucceeded || job.phase == plan::JobPhase::kFailed;
}

const api::AttemptStatus* FindAttempt(const api::RunStatus& status, const std::string& job) {
  for (const api::RepeatStatus& repeat : status.repeats) {
    for (const api::AttemptStatus& attempt : repeat.attempts) {
      if (attempt.job == job) return &attempt;
    }
  }
  return nullptr;
}

bool IsFinal(ErrorKind kind) {
  return kind == ErrorKind::kNotFound || kind == ErrorKind::kInvalidInput;
}

}  // namespace

Reconciler::Reconciler(plan::Settings settings, kube::Client& client, WorkerProbe& probe,
                       const base::Clock& clock, uint64_t seed)
    : settings_(std::move(settings)),
      client_(client),
      probe_(probe),
      clock_(clock),
      random_(seed) {}

base::Result<std::optional<base::WallTime>> Reconciler::Visit(const std::string& run_key,
                                                              const Stores& stores,
                                                              std::stop_token stop) {
  const size_t slash = run_key.find('/');
  const kube::Object document =
      stores.runs.Find(run_key.substr(0, slash), run_key.substr(slash + 1));
  if (!document) {
    Forget(run_key);
    return std::nullopt;
  }
  auto run = ReadRun(*document);
  if (!run) return tl::unexpected(run.error());
  if (plan::IsExpired(run->spec, run->status, clock_.WallNow())) {
    const auto gone =
        client_.Delete(kube::kBenchmarkRuns, run->ns, run->name, run->uid, std::move(stop));
    if (!gone) return tl::unexpected(gone.error());
    return std::nullopt;
  }
  Memory memory = Recall(run_key);
  memory.report_pending = false;
  const plan::Observed observed = Observe(std::move(*run), run_key, stores, memory, stop);
  const plan::Plan plan = plan::MakePlan(observed, settings_, clock_.WallNow());
  memory.last = Apply(plan.actions, observed.run, client_, stop);
  const Applied last = memory.last;
  const bool report_pending = memory.report_pending;
  Remember(run_key, std::move(memory));
  const base::Status finished = Finish(plan, *document, observed.run, stop);
  if (!last.status) return tl::unexpected(last.status.error());
  if (!finished) return tl::unexpected(finished.error());
  // The next visit tells the user; a refusal may also be over by then.
  if (last.foreign) return clock_.WallNow();
  if (last.refusal) return base::MakeError(ErrorKind::kDenied, last.refusal->message);
  if (!report_pending) return plan.look_again;
  const base::WallTime next_try = clock_.WallNow() + kReportPause;
  return plan.look_again ? std::min(*plan.look_again, next_try) : next_try;
}

plan::Observed Reconciler::Observe(plan::ObservedRun run, const std::string& run_key,
                                   const Stores& stores, Memory& memory,
                                   const std::stop_token& stop) {
  plan::Observed observed;
  observed.run = std::move(run);
  observed.foreign = memory.last.foreign;
  observed.refusal = memory.last.refusal;
  observed.fresh_seed = FreshSeed();
  const std::vector<kube::Object> pods = stores.pods.OfRun(run_key);
  const std::vector<kube::Object> warnings = stores.warnings.OfRun(run_key);
  std::optional<std::string> url;
  for (const kube::Object& job : stores.jobs.OfRun(run_key)) {
    plan::ObservedJob seen = ReadJob(*job, pods, warnings, observed.run.uid);
    if (seen.owned) FindReport(*job, pods, observed.run, seen, memory, stop);
    const kube::Object pod = PodOf(*job, pods);
    if (pod && seen.owned && FindAttempt(observed.run.status, seen.name) != nullptr) {
      const auto its_url = ProgressUrl(*pod, settings_.worker_port);
      if (its_url) url = its_url;
    }
    observed.jobs.push_back(std::move(seen));
  }
  for (const kube::Object& claim : stores.claims.OfRun(run_key)) {
    if (ControllerUid(*claim) == observed.run.uid) observed.claims.insert(NameOf(*claim));
  }
  probe_.Follow(run_key, url);
  ProbeResult probed = probe_.Latest(run_key);
  observed.progress = std::move(probed.progress);
  observed.progress_problem = std::move(probed.problem);
  return observed;
}

void Reconciler::FindReport(const Json& job, const std::vector<kube::Object>& pods,
                            const plan::ObservedRun& run, plan::ObservedJob& seen, Memory& memory,
                            const std::stop_token& stop) {
  if (!HasEnded(seen) || !seen.container_started) return;
  const api::AttemptStatus* attempt = FindAttempt(run.status, seen.name);
  if (attempt == nullptr || attempt->report) return;
  if (!memory.reports.contains(seen.name) && !memory.report_problems.contains(seen.name)) {
    KeepReportOf(seen.name, PodOf(job, pods), run, memory, stop);
  }
  if (const auto kept = memory.reports.find(seen.name); kept != memory.reports.end()) {
    seen.report = kept->second;
  } else if (const auto problem = memory.report_problems.find(seen.name);
             problem != memory.report_problems.end()) {
    seen.report_problem = problem->second;
  }
}

void Reconciler::KeepReportOf(const std::string& job, const kube::Object& pod,
                              const plan::ObservedRun& run, Memory& memory,
                              const std::stop_token& stop) {
  const auto kept =
      pod ? KeepReport(run, job, *pod, client_, stop)
          : base::Result<std::string>(base::MakeError(ErrorKind::kNotFound, "its pod is gone"));
  if (kept) {
    memory.reports[job] = *kept;
  } else if (IsFinal(kept.error().kind) || ++memory.report_tries[job] >= kReportTries) {
    memory.report_problems[job] = kept.error().message;
  } else {
    memory.report_pending = true;
  }
}

base::Status Reconciler::Finish(const plan::Plan& plan, const Json& document,
                                const plan::ObservedRun& run, const std::stop_token& stop) {
  api::RunStatus status = plan.status;
  plan::FitStatus(status);
  Json encoded = base::Encode(status);
  if (encoded == base::Encode(run.status)) return {};
  Json object = document;
  object["status"] = std::move(encoded);
  const auto written = client_.ReplaceStatus(kube::kBenchmarkRuns, object, stop);
  // Gone meanwhile: nobody waits for the status.
  if (!written && written.error().kind == ErrorKind::kNotFound) return {};
  if (!written) return tl::unexpected(written.error());
  for (const plan::Event& event : plan.events) {
    spdlog::info("{}/{}: {}: {}", run.ns, run.name, event.reason, event.message);
    const auto sent = SendEvent(event, run, clock_.WallNow(), client_, stop);
    if (!sent) spdlog::warn("an event is lost: {}", sent.error().message);
  }
  return {};
}

Reconciler::Memory Reconciler::Recall(const std::string& run_key) {
  const std::lock_guard lock(mutex_);
  return memories_[run_key];
}

void Reconciler::Remember(const std::string& run_key, Memory memory) {
  const std::lock_guard lock(mutex_);
  memories_[run_key] = std::move(memory);
}

void Reconciler::Forget(const std::string& run_key) {
  probe_.Follow(run_key, std::nullopt);
  const std::lock_guard lock(mutex_);
  memories_.erase(run_key);
}

int64_t Reconciler::FreshSeed() {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(random_.Below(static_cast<uint64_t>(api::kMaxSafeInteger)));
}

}  // namespace fairlap::control

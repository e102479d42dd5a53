#include "tests/unit/operator/plan/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "operator/plan/conditions.h"

namespace fairlap::plan {
namespace {

using std::chrono::seconds;

bool HasEnded(const ObservedJob& job) {
  return job.phase == JobPhase::kSucceeded || job.phase == JobPhase::kFailed;
}

void ExpectWithinBounds(const api::RunStatus& status) {
  api::RunStatus decoded;
  base::Problems problems;
  base::Decode(base::Encode(status), "status", decoded, problems);
  for (const auto& problem : problems) ADD_FAILURE() << problem.path << ": " << problem.message;
}

void End(ObservedJob& job, JobPhase phase, base::WallTime now, std::string message) {
  job.phase = phase;
  job.finished = now;
  job.termination_message = std::move(message);
}

}  // namespace

Simulation::Simulation() : now(base::ParseTime("2026-03-01T12:00:00Z").value()) {
  run.name = "demo";
  run.ns = "bench";
  run.uid = "uid-1";
  run.created = now;
  run.spec.software.model = api::Model::kResNet20V1;
  run.spec.problem.dataset.format = api::DatasetFormat::kSynthetic;
  run.spec.problem.batch_size = 32;
  run.spec.problem.optimizer.learning_rate = {"0.1"};
  run.spec.problem.stop.steps = 100;
  run.spec.compute.device = api::Device::kCpu;
  run.spec.measurement.repeats = 2;
  run.spec.measurement.warmup_runs = 1;
  run.spec.measurement.seed = 7;
}

Observed Simulation::Observe() const {
  Observed observed{.run = run,
                    .jobs = {},
                    .config_maps = config_maps,
                    .claims = claims,
                    .progress = progress,
                    .progress_problem = "",
                    .foreign = {},
                    .refusal = {},
                    .fresh_seed = fresh_seed,
                    .cancelled = cancelled};
  for (const auto& [name, job] : jobs) observed.jobs.push_back(job);
  return observed;
}

bool Simulation::Effect() {
  if (crash_after && effects == *crash_after) {
    crash_after.reset();
    return false;
  }
  ++effects;
  return true;
}

Plan Simulation::Step() {
  Plan plan = MakePlan(Observe(), Settings{}, now);
  for (const Action& action : plan.actions) {
    if (!Effect()) return plan;
    Apply(action);
  }
  std::string text = ToText(plan.status);
  if (text != written_) {
    if (!Effect()) return plan;
    run.status = plan.status;
    written_ = std::move(text);
  }
  events.insert(events.end(), plan.events.begin(), plan.events.end());
  return plan;
}

void Simulation::Settle() {
  for (int i = 0; i < 20; ++i) {
    const int64_t effects_before = effects;
    const bool may_crash = crash_after.has_value();
    const Plan plan = Step();
    EXPECT_LE(UnfinishedJobs(), 1);
    if (may_crash != crash_after.has_value()) continue;
    if (effects == effects_before) {
      EXPECT_TRUE(plan.events.empty()) << "an event without a change";
      return;
    }
  }
  ADD_FAILURE() << "the plans do not settle: " << ToText(run.status);
}

void Simulation::Apply(const Action& action) {
  if (const auto* create = std::get_if<CreateObject>(&action)) {
    const std::string kind = create->object.at("kind");
    const std::string name = create->object.at("metadata").at("name");
    log.push_back("create " + kind + " " + name);
    if (kind == "ConfigMap") config_maps.insert(name);
    if (kind == "PersistentVolumeClaim") claims.insert(name);
    if (kind != "Job") return;
    EXPECT_TRUE(config_maps.contains(name) || name.ends_with("-populate"))
        << "the job's ConfigMap must come first";
    ObservedJob job;
    job.name = name;
    job.uid = "uid-of-" + name;
    job.created = now;
    jobs.emplace(name, job);  // 409 if it is there: it is ours
  } else {
    const auto& gone = std::get<DeleteObject>(action);
    log.push_back("delete " + gone.kind + " " + gone.name);
    jobs.erase(gone.name);
  }
}

void Simulation::Tick() {
  now += seconds(1);
  for (auto& [name, job] : jobs) {
    if (job.owned && !HasEnded(job)) Advance(job);
  }
}

void Simulation::Advance(ObservedJob& job) {
  const auto found = fates.find(job.name);
  const Fate fate = found == fates.end() ? Fate::kSucceeds : found->second;
  if (fate == Fate::kHangsQueued) return;
  if (!job.scheduled) {
    job.scheduled = now;
    job.nodes = {"node-a"};
  } else if (fate == Fate::kNeverStarts) {
    job.reason = "UnexpectedAdmissionError";
    End(job, JobPhase::kFailed, now, "");
  } else if (fate == Fate::kHangsPending) {
    job.reason = "ImagePullBackOff";
  } else if (!job.container_started) {
    job.image_ready = job.container_started = now;
    job.phase = JobPhase::kRunning;
  } else if (fate == Fate::kFails) {
    job.reason = "Error";
    End(job, JobPhase::kFailed, now,
        TerminationMessage(api::Outcome::kFailed, *job.container_started, 0));
  } else if (fate != Fate::kHangsRunning) {
    std::string message = TerminationMessage(api::Outcome::kSucceeded, *job.container_started, 100);
    if (fate == Fate::kLeavesCutMessage) message.resize(message.size() / 2);
    End(job, JobPhase::kSucceeded, now, message);
  }
}

bool Simulation::RunToEnd(int max_ticks) {
  for (int i = 0; i < max_ticks; ++i) {
    Settle();
    if (IsFinished(run.status)) {
      ExpectWithinBounds(run.status);
      return MakePlan(Observe(), Settings{}, now).done;
    }
    Tick();
  }
  return false;
}

const api::RepeatStatus& Simulation::RepeatNamed(const std::string& name) const {
  for (const auto& repeat : run.status.repeats) {
    if (repeat.name == name) return repeat;
  }
  ADD_FAILURE() << "no repeat " << name;
  static const api::RepeatStatus kNone;
  return kNone;
}

std::vector<std::string> Simulation::EventReasons() const {
  std::vector<std::string> reasons;
  for (const Event& event : events) reasons.push_back(event.reason);
  return reasons;
}

int64_t Simulation::UnfinishedJobs() const {
  return std::count_if(jobs.begin(), jobs.end(), [](const auto& entry) {
    return entry.second.owned && !HasEnded(entry.second);
  });
}

std::string TerminationMessage(api::Outcome outcome, base::WallTime started, double rate) {
  api::WorkerSummary summary;
  summary.outcome = outcome;
  if (outcome == api::Outcome::kFailed) {
    summary.reason = "BadFile";
    summary.message = "train/a/1.jpg is truncated";
  } else {
    summary.figures.samples_per_second = rate;
    summary.figures.window_state = api::WindowState::kOk;
  }
  summary.marks.first_step = base::FormatTime(started);
  summary.figures.steps = 100;
  return base::Encode(summary).dump();
}

std::string ToText(const api::RunStatus& status) { return base::Encode(status).dump(1); }

}  // namespace fairlap::plan

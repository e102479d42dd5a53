#include "cli/run_session.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lib/report/files.h"
#include "operator/plan/attempts.h"

namespace fairlap::cli {
namespace {

using std::chrono::milliseconds;

// How often the progress is shown while nothing happens.
constexpr milliseconds kTick{100};
constexpr size_t kShownLogLines = 5;

}  // namespace

RunSession::RunSession(plan::ObservedRun run, int64_t fresh_seed, LocalExecutor& executor,
                       const OutFolder& out, Signals& signals, Terminal& terminal,
                       const base::Clock& clock)
    : executor_(executor), out_(out), signals_(signals), terminal_(terminal), clock_(clock) {
  observed_.run = std::move(run);
  observed_.fresh_seed = fresh_seed;
}

SessionResult RunSession::Run() {
  while (true) {
    TakeSignals();
    executor_.Update();
    executor_.Observe(observed_);
    FollowWorker();
    const plan::Plan plan = plan::MakePlan(observed_, plan::Settings{}, clock_.WallNow());
    observed_.run.status = plan.status;
    Record(plan.done);  // before the next repeat starts, so that it takes nothing from it
    ApplyActions(plan);
    if (plan.done) break;
    ShowProgress();
    Wait(plan.look_again);
  }
  poller_.reset();
  result_.report = MakeRunReport(observed_.run, reports_);
  result_.written = report::WriteRunReport(out_.report_file(), result_.report);
  return std::move(result_);
}

void RunSession::TakeSignals() {
  while (const auto signal = signals_.Take()) {
    if (!result_.signal) terminal_.PrintError("Stopping; what was measured so far is kept.");
    result_.signal = signal;
    observed_.cancelled = true;
    executor_.Interrupt();
  }
}

void RunSession::ApplyActions(const plan::Plan& plan) {
  for (const plan::Action& action : plan.actions) {
    auto applied = executor_.Apply(action);
    if (applied) continue;
    // Nothing that a retry could mend: end the run, with what was measured so far.
    if (result_.carried_out) result_.carried_out = std::move(applied);
    observed_.cancelled = true;
    return;
  }
}

void RunSession::Record(bool done) {
  const bool more = ReadWorkerReports(observed_.run.status, out_, reports_);
  if (!more && report_exists_) return;
  report_exists_ = true;
  AnnounceRepeats();
  if (done) return;  // the caller writes the last word
  const auto written =
      report::WriteRunReport(out_.report_file(), MakeRunReport(observed_.run, reports_));
  if (!written) terminal_.PrintError("warning: " + written.error().message);
}

void RunSession::AnnounceRepeats() {
  const api::RunStatus& status = observed_.run.status;
  for (size_t i = 0; i < status.repeats.size(); ++i) {
    const api::RepeatStatus& repeat = status.repeats[i];
    if (!plan::IsOver(repeat.outcome) || repeat.attempts.empty()) continue;
    if (!announced_.insert(repeat.name).second) continue;
    terminal_.Print(DescribeRepeat(status, i));
    if (repeat.outcome != api::Outcome::kFailed) continue;
    const auto log = out_.RepeatFolder(repeat.attempts.back().job) / kWorkerLog;
    for (const std::string& line : LastLogLines(log, kShownLogLines)) {
      terminal_.PrintError("  | " + line);
    }
    terminal_.PrintError("  the worker's whole log: " + log.string());
  }
}

void RunSession::FollowWorker() {
  const auto running = executor_.running();
  const std::string job = running ? running->job : "";
  if (job != polled_job_) {
    poller_.reset();
    if (running) poller_ = std::make_unique<ProgressPoller>(running->address_file);
    polled_job_ = job;
  }
  observed_.progress = poller_ ? poller_->Latest() : std::nullopt;
}

void RunSession::ShowProgress() {
  const auto& repeats = observed_.run.status.repeats;
  const auto active = std::find_if(repeats.begin(), repeats.end(), [](const auto& repeat) {
    return repeat.outcome == api::Outcome::kRunning;
  });
  if (active == repeats.end()) return;
  ProgressView view;
  view.position = active - repeats.begin() + 1;
  view.count = static_cast<int64_t>(repeats.size());
  view.warmup = active->warmup;
  view.worker = observed_.progress;
  if (observed_.run.status.progress) view.eta_seconds = observed_.run.status.progress->eta_seconds;
  terminal_.ShowProgress(view);
}

void RunSession::Wait(const std::optional<base::WallTime>& look_again) {
  const auto running = executor_.running();
  milliseconds timeout = kTick;
  auto wake_in = [&timeout](auto duration) {
    timeout = std::clamp(std::chrono::ceil<milliseconds>(duration), milliseconds(0), timeout);
  };
  if (look_again) wake_in(*look_again - clock_.WallNow());
  if (running && running->kill_at) wake_in(*running->kill_at - clock_.Now());
  pollfd events[] = {{signals_.fd(), POLLIN, 0}, {running ? running->fd : -1, POLLIN, 0}};
  // Woken early or late, the loop looks at everything again.
  ::poll(events, std::size(events), static_cast<int>(timeout.count()));
}

}  // namespace fairlap::cli

#include "operator/control/controller.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include "operator/control/documents.h"
#include "operator/control/observe.h"
#include "operator/kube/fetch_progress.h"
#include "operator/plan/labels.h"

namespace fairlap::control {
namespace {

constexpr std::chrono::milliseconds kDrainPatience{25'000};

std::string OursOnly() { return std::string(plan::kManagedByLabel) + "=" + plan::kManagedByValue; }

kube::ListOptions Select(const std::string& ns, std::string labels, std::string fields) {
  kube::ListOptions options;
  options.ns = ns;
  options.label_selector = std::move(labels);
  options.field_selector = std::move(fields);
  return options;
}

kube::WatcherObserver Report(Metrics& metrics) {
  kube::WatcherObserver observer;
  observer.listed = [](const kube::Resource& resource, size_t objects) {
    spdlog::info("listed {} {}", objects, resource.plural);
  };
  observer.watch_ended = [&metrics](const kube::Resource& resource) {
    metrics.AddWatchEnd(resource.kind, "server");
  };
  observer.failed = [&metrics](const kube::Resource& resource, const base::Error& error) {
    metrics.AddWatchEnd(resource.kind, base::Name(error.kind));
    spdlog::warn("watching {}: {}", resource.plural, error.message);
  };
  return observer;
}

}  // namespace

// The five kinds of one namespace, or of all.
class Controller::Scope {
 public:
  Scope(const std::string& ns, kube::Client& client, WorkQueue& queue, Metrics& metrics)
      : on_change_([&queue](const std::string& run_key) { queue.Add(run_key); }) {
    const auto watch = [&](const kube::Resource& resource, kube::Store& store, std::string labels,
                           std::string fields = "") {
      watchers_.push_back(std::make_unique<kube::Watcher>(
          resource, Select(ns, std::move(labels), std::move(fields)), client, store,
          Report(metrics)));
    };
    watch(kube::kBenchmarkRuns, runs_, "");
    watch(kube::kJobs, jobs_, OursOnly());
    watch(kube::kPods, pods_, OursOnly());
    watch(kube::kClaims, claims_, OursOnly());
    watch(kube::kEvents, warnings_, "", "type=Warning");
  }

  bool synced() const {
    return std::all_of(watchers_.begin(), watchers_.end(),
                       [](const auto& watcher) { return watcher->synced(); });
  }
  Stores stores() const { return {runs_, jobs_, pods_, claims_, warnings_}; }

 private:
  const kube::Store::OnChange on_change_;
  kube::Store runs_{RunKeyOf, on_change_}, jobs_{RunKeyOf, on_change_}, pods_{RunKeyOf, on_change_},
      claims_{RunKeyOf, on_change_}, warnings_{RunKeyOf, on_change_};
  std::vector<std::unique_ptr<kube::Watcher>> watchers_;
};

Controller::Controller(ControllerOptions options, kube::Client& client, Metrics& metrics,
                       const base::Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      metrics_(metrics),
      queue_(clock),
      probe_(
          options_.probe_interval,
          [](const std::string& url, std::stop_token stop) {
            return kube::FetchProgress(url, {}, std::move(stop));
          },
          [this](const std::string& run_key) { queue_.Add(run_key); }),
      reconciler_(options_.settings, client, probe_, clock, options_.seed) {
  std::vector<std::string> namespaces = options_.namespaces;
  if (namespaces.empty()) namespaces.emplace_back();
  for (const std::string& ns : namespaces) {
    scopes_.push_back(std::make_unique<Scope>(ns, client, queue_, metrics_));
  }
  for (int i = 0; i < options_.workers; ++i) {
    workers_.emplace_back([this](const std::stop_token& stop) { Work(stop); });
  }
}

Controller::~Controller() { Drain(kDrainPatience); }

void Controller::Drain(std::chrono::milliseconds patience) {
  for (std::jthread& worker : workers_) worker.request_stop();
  std::jthread watchdog([this, patience](const std::stop_token& finished) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, finished, patience, [] { return false; });
    if (!finished.stop_requested()) abort_.request_stop();
  });
  workers_.clear();  // joins
}

bool Controller::synced() const {
  return std::all_of(scopes_.begin(), scopes_.end(),
                     [](const auto& scope) { return scope->synced(); });
}

Controller::Scope* Controller::ScopeOf(const std::string& run_key) {
  if (options_.namespaces.empty()) return scopes_.front().get();
  const std::string ns = run_key.substr(0, run_key.find('/'));
  const auto found = std::find(options_.namespaces.begin(), options_.namespaces.end(), ns);
  if (found == options_.namespaces.end()) return nullptr;
  return scopes_[static_cast<size_t>(found - options_.namespaces.begin())].get();
}

void Controller::Work(const std::stop_token& stop) {
  while (const auto key = queue_.Take(stop)) {
    Visit(*key);
    queue_.Done(*key);
  }
}

void Controller::Visit(const std::string& run_key) {
  Scope* scope = ScopeOf(run_key);
  if (scope == nullptr) return;
  if (!scope->synced()) {
    // A job that was not listed yet would look deleted.
    queue_.AddAt(run_key, clock_.Now() + std::chrono::milliseconds(100));
    return;
  }
  const auto begin = clock_.Now();
  const auto visited = reconciler_.Visit(run_key, scope->stores(), abort_.get_token());
  const base::Status result =
      visited ? base::Status() : base::Status(tl::unexpected(visited.error()));
  metrics_.AddReconcile(clock_.Now() - begin, result);
  if (!visited) {
    // Somebody, or our own watch, was faster: the usual case after our own writes.
    const bool stale = visited.error().kind == base::ErrorKind::kConflict;
    if (!stale) spdlog::warn("{}: {}", run_key, visited.error().message);
    queue_.Retry(run_key);
    return;
  }
  queue_.Forget(run_key);
  if (*visited) queue_.AddAt(run_key, clock_.Now() + (**visited - clock_.WallNow()));
}

std::string Controller::MetricsText() {
  std::map<std::string, int64_t> by_state;
  for (const auto& scope : scopes_) {
    const kube::Store& runs = scope->stores().runs;
    for (const std::string& key : runs.RunKeys()) {
      for (const kube::Object& run : runs.OfRun(key)) {
        const std::string state = TextAt(*run, "/status/state");
        ++by_state[state.empty() ? "Pending" : state];
      }
    }
  }
  metrics_.SetRuns(by_state);
  metrics_.SetQueueDepth(queue_.depth());
  return metrics_.Text();
}

}  // namespace fairlap::control

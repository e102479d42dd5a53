#include "operator/control/metrics.h"

#include <prometheus/text_serializer.h>

#include "operator/plan/conditions.h"

namespace fairlap::control {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

constexpr char kController[] = "benchmarkrun";
const prometheus::Histogram::BucketBoundaries kSeconds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                          0.5,   1,    2.5,   5,    10};

}  // namespace

Metrics::Metrics()
    : reconciles_(BuildCounter()
                      .Name("controller_runtime_reconcile_total")
                      .Help("Visits of a run, by result")
                      .Register(registry_)),
      errors_(BuildCounter()
                  .Name("controller_runtime_reconcile_errors_total")
                  .Help("Visits that failed and are tried again, by kind of error")
                  .Register(registry_)),
      reconcile_seconds_(BuildHistogram()
                             .Name("controller_runtime_reconcile_time_seconds")
                             .Help("How long a visit takes")
                             .Register(registry_)
                             .Add({{"controller", kController}}, kSeconds)),
      requests_(BuildCounter()
                    .Name("rest_client_requests_total")
                    .Help("Requests to the API server, by method and answer")
                    .Register(registry_)),
      watch_ends_(BuildCounter()
                      .Name("fairlap_watch_ends_total")
                      .Help("Watches that ended, by kind and cause; \"server\" is the usual one")
                      .Register(registry_)),
      queue_depth_(BuildGauge()
                       .Name("workqueue_depth")
                       .Help("Runs that are due to be visited")
                       .Register(registry_)
                       .Add({{"name", kController}})),
      runs_(BuildGauge().Name("fairlap_runs").Help("BenchmarkRuns by state").Register(registry_)) {
  for (const char* result : {"success", "error"}) {
    reconciles_.Add({{"controller", kController}, {"result", result}});
  }
}

void Metrics::AddReconcile(base::Seconds took, const base::Status& result) {
  reconcile_seconds_.Observe(took.count());
  reconciles_.Add({{"controller", kController}, {"result", result ? "success" : "error"}})
      .Increment();
  if (result) return;
  errors_.Add({{"controller", kController}, {"kind", std::string(base::Name(result.error().kind))}})
      .Increment();
}

void Metrics::AddRequest(const std::string& method, const std::string& code) {
  requests_.Add({{"method", method}, {"code", code}}).Increment();
}

void Metrics::AddWatchEnd(std::string_view kind, std::string_view cause) {
  watch_ends_.Add({{"kind", std::string(kind)}, {"cause", std::string(cause)}}).Increment();
}

void Metrics::SetQueueDepth(size_t depth) { queue_depth_.Set(static_cast<double>(depth)); }

void Metrics::SetRuns(const std::map<std::string, int64_t>& by_state) {
  for (const char* state : plan::States()) {
    const auto found = by_state.find(state);
    runs_.Add({{"state", state}})
        .Set(found != by_state.end() ? static_cast<double>(found->second) : 0);
  }
}

std::string Metrics::Text() const {
  return prometheus::TextSerializer().Serialize(registry_.Collect());
}

}  // namespace fairlap::control

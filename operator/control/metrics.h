// The operator's own metrics, named as controller-runtime and client-go name theirs, so that the
// dashboards for those work.
#ifndef FAIRLAP_OPERATOR_CONTROL_METRICS_H_
#define FAIRLAP_OPERATOR_CONTROL_METRICS_H_

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace fairlap::control {

// Thread-safe.
class Metrics {
 public:
  Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void AddReconcile(base::Seconds took, const base::Status& result);
  void AddRequest(const std::string& method, const std::string& code);
  void AddWatchEnd(std::string_view kind, std::string_view cause);  // "server", or an error's kind
  void SetQueueDepth(size_t depth);
  // How many runs are in each state; states that are not named have none.
  void SetRuns(const std::map<std::string, int64_t>& by_state);

  std::string Text() const;  // the text exposition format

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& reconciles_;
  prometheus::Family<prometheus::Counter>& errors_;
  prometheus::Histogram& reconcile_seconds_;
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Family<prometheus::Counter>& watch_ends_;
  prometheus::Gauge& queue_depth_;
  prometheus::Family<prometheus::Gauge>& runs_;
};

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_METRICS_H_

// The repeat's figures as Prometheus sees them while it runs. Fed by the recorder alone, so that at
// the end they equal the report's.
#ifndef FAIRLAP_WORKER_REPORT_LIVE_METRICS_H_
#define FAIRLAP_WORKER_REPORT_LIVE_METRICS_H_

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <cstdint>
#include <optional>
#include <string>

#include "lib/api/run_config.h"
#include "worker/train/observer.h"

namespace fairlap::report {

// Thread-safe; a gauge appears with its first value.
class LiveMetrics {
 public:
  explicit LiveMetrics(const api::RunConfig& config);
  LiveMetrics(const LiveMetrics&) = delete;
  LiveMetrics& operator=(const LiveMetrics&) = delete;

  void AddStep(const train::StepRecord& record);
  void AddEvaluation(const train::EvaluationRecord& record);
  void SetInputThreads(int64_t count);
  void SetReadyBatches(int64_t count);  // the queue's depth
  // Both only grow. `fetched_bytes` is absent where the system does not tell.
  void SetInput(const data::PipelineTotals& totals, std::optional<int64_t> fetched_bytes);
  void SetStaging(const StagingFacts& facts);  // only grows
  void SetCachePrepareSeconds(double seconds);
  void SetStallRatio(double ratio);  // of the window so far
  void SetSamplesPerSecond(double rate);
  void SetProgressRatio(double ratio);

  // The text exposition format, version 0.0.4.
  std::string Text() const;

 private:
  // A gauge that is not served before it is set.
  class LateGauge {
   public:
    LateGauge(prometheus::Family<prometheus::Gauge>& family, prometheus::Labels labels = {});
    void Set(double value);

   private:
    prometheus::Family<prometheus::Gauge>& family_;
    const prometheus::Labels labels_;
    prometheus::Gauge* gauge_ = nullptr;
  };
  using Counters = prometheus::Family<prometheus::Counter>;
  using Gauges = prometheus::Family<prometheus::Gauge>;

  Counters& MakeCounters(const char* name, const char* help);
  Gauges& MakeGauges(const char* name, const char* help);

  prometheus::Registry registry_;
  Counters& samples_;
  Counters& steps_;
  Counters& stages_;
  Counters& bytes_;
  Counters& errors_;
  prometheus::Counter &trained_samples_, &evaluated_samples_, &trained_steps_;
  prometheus::Counter &read_, &decode_, &transform_, &wait_, &copy_, &forward_, &backward_,
      &update_, &compute_, &all_reduce_, &evaluate_, &cache_prepare_;
  prometheus::Counter& requested_bytes_;
  prometheus::Counter* fetched_bytes_ = nullptr;
  prometheus::Counter &read_errors_, &decode_errors_;
  prometheus::Counter* stage_in_ = nullptr;  // both appear with the first copied byte
  prometheus::Counter* staged_bytes_ = nullptr;
  prometheus::Histogram& step_duration_;
  LateGauge input_threads_, ready_batches_;
  LateGauge stall_ratio_, ready_ratio_, samples_per_second_, loss_, epoch_, progress_;
  Gauges& accuracy_;
  LateGauge top1_, top5_, psnr_, input_psnr_, validation_loss_;
};

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_LIVE_METRICS_H_

// Every metric and label that a worker serves, in one place; definitions: docs/measurement.md,
// "Prometheus". Base units; counters end in _total.
#ifndef FAIRLAP_WORKER_REPORT_METRIC_NAMES_H_
#define FAIRLAP_WORKER_REPORT_METRIC_NAMES_H_

namespace fairlap::report::metric {

inline constexpr char kSamples[] = "fairlap_samples_total";             // {phase}
inline constexpr char kSteps[] = "fairlap_steps_total";                 // {phase}
inline constexpr char kStageSeconds[] = "fairlap_stage_seconds_total";  // {stage}
inline constexpr char kStepDuration[] = "fairlap_step_duration_seconds";
inline constexpr char kReadBytes[] = "fairlap_read_bytes_total";      // {source}
inline constexpr char kStageErrors[] = "fairlap_stage_errors_total";  // {stage}
inline constexpr char kInputThreads[] = "fairlap_input_threads";
inline constexpr char kReadyBatches[] = "fairlap_ready_batches";
inline constexpr char kStagedBytes[] = "fairlap_staged_bytes_total";
inline constexpr char kDataStallRatio[] = "fairlap_data_stall_ratio";
inline constexpr char kInputReadyRatio[] = "fairlap_input_ready_ratio";
inline constexpr char kSamplesPerSecond[] = "fairlap_samples_per_second";
inline constexpr char kLoss[] = "fairlap_loss";
inline constexpr char kAccuracyRatio[] = "fairlap_accuracy_ratio";  // {metric}
inline constexpr char kPsnrDecibels[] = "fairlap_psnr_decibels";
inline constexpr char kInputPsnrDecibels[] = "fairlap_input_psnr_decibels";
inline constexpr char kValidationLoss[] = "fairlap_validation_loss";
inline constexpr char kEpoch[] = "fairlap_epoch";
inline constexpr char kProgressRatio[] = "fairlap_progress_ratio";
inline constexpr char kBenchmarkInfo[] = "fairlap_benchmark_info";

inline constexpr char kPhase[] = "phase";
inline constexpr char kTrain[] = "train";
inline constexpr char kEvaluate[] = "evaluate";

inline constexpr char kStage[] = "stage";
inline constexpr char kRead[] = "read";
inline constexpr char kDecode[] = "decode";
inline constexpr char kTransform[] = "transform";
inline constexpr char kWait[] = "wait";
inline constexpr char kCopy[] = "copy";
inline constexpr char kForward[] = "forward";
inline constexpr char kBackward[] = "backward";
inline constexpr char kUpdate[] = "update";
inline constexpr char kCompute[] = "compute";
inline constexpr char kAllReduce[] = "all_reduce";
inline constexpr char kStageIn[] = "stage_in";
inline constexpr char kCachePrepare[] = "cache_prepare";

inline constexpr char kSource[] = "source";
inline constexpr char kRequested[] = "requested";
inline constexpr char kFetched[] = "fetched";

inline constexpr char kMetric[] = "metric";
inline constexpr char kTop1[] = "top1";
inline constexpr char kTop5[] = "top5";

}  // namespace fairlap::report::metric

#endif  // FAIRLAP_WORKER_REPORT_METRIC_NAMES_H_

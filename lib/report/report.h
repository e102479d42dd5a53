// The report: one document per worker rank (RankReport, written by the worker) and one per run
// (RunReport, written by whoever ran it). JSON, lowerCamelCase, numbers of six significant digits.
// Definitions of the figures: docs/measurement.md. Both carry schemaVersion; readers ignore fields
// that they do not know.
#ifndef FAIRLAP_LIB_REPORT_REPORT_H_
#define FAIRLAP_LIB_REPORT_REPORT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/figures.h"
#include "lib/api/run_config.h"
#include "lib/api/status.h"

namespace fairlap::report {

using base::Integer;
using base::Items;
using base::Plain;
using base::Text;
using base::Texts;

inline constexpr base::Bounds kCount = Integer(0, api::kMaxSafeInteger);
inline constexpr base::Bounds kAnyText = Text(0, 4096);

struct ModelFacts {
  std::string name;
  int64_t parameters = 0;
  std::optional<int64_t> published_parameters;  // at the published number of classes
  int64_t classes = 0;
  int64_t image_size = 0;
  template <class V>
  static void Describe(V& v) {
    v(&ModelFacts::name, "name", kAnyText);
    v(&ModelFacts::parameters, "parameters", kCount);
    v(&ModelFacts::published_parameters, "publishedParameters", kCount);
    v(&ModelFacts::classes, "classes", kCount);
    v(&ModelFacts::image_size, "imageSize", kCount);
  }
};

struct BadFile {
  std::string path;  // relative to the data set
  std::string reason;
  template <class V>
  static void Describe(V& v) {
    v(&BadFile::path, "path", kAnyText);
    v(&BadFile::reason, "reason", kAnyText);
  }
};

// The copy that storage.staging: copy made of the data set, complete or as far as it came.
struct StagingFacts {
  int64_t files = 0;  // on the scratch's device by then; total_files when it is done
  int64_t bytes = 0;  // written by then
  int64_t total_files = 0, total_bytes = 0;
  int64_t kept_files = 0, kept_bytes = 0;  // of these, were there already
  double seconds = 0;
  template <class V>
  static void Describe(V& v) {
    v(&StagingFacts::files, "files", kCount);
    v(&StagingFacts::bytes, "bytes", kCount);
    v(&StagingFacts::total_files, "totalFiles", kCount);
    v(&StagingFacts::total_bytes, "totalBytes", kCount);
    v(&StagingFacts::kept_files, "keptFiles", kCount);
    v(&StagingFacts::kept_bytes, "keptBytes", kCount);
    v(&StagingFacts::seconds, "seconds", Plain());
  }
};

struct DataFacts {
  std::string format;
  int64_t train_samples = 0;
  int64_t validation_samples = 0;
  int64_t bytes = 0;                 // of the indexed files
  std::vector<std::string> classes;  // label map, in label order; at most 1000 listed
  std::string identity;              // SHA-256 over sorted paths and sizes, hex
  int64_t bad_file_count = 0;
  int64_t unreadable_file_count = 0;  // of them, those that could not be opened or read
  std::vector<BadFile> bad_files;     // at most 100 listed
  std::optional<StagingFacts> staging;
  template <class V>
  static void Describe(V& v) {
    v(&DataFacts::format, "format", kAnyText);
    v(&DataFacts::train_samples, "trainSamples", kCount);
    v(&DataFacts::validation_samples, "validationSamples", kCount);
    v(&DataFacts::bytes, "bytes", kCount);
    v(&DataFacts::classes, "classes", Texts(0, 1000, 0, 4096));
    v(&DataFacts::identity, "identity", kAnyText);
    v(&DataFacts::bad_file_count, "badFileCount", kCount);
    v(&DataFacts::unreadable_file_count, "unreadableFileCount", kCount.Default());
    v(&DataFacts::bad_files, "badFiles", Items(0, 100));
    v(&DataFacts::staging, "staging", Plain());
  }
};

// One finished epoch.
struct EpochRow {
  int64_t epoch = 0;   // 0-based
  double seconds = 0;  // training only
  int64_t steps = 0;
  int64_t samples = 0;
  std::optional<double> train_loss;  // mean over the epoch's samples
  std::optional<double> learning_rate;
  std::optional<double> top1, top5, validation_loss, psnr_decibels, input_psnr_decibels,
      evaluate_seconds;
  template <class V>
  static void Describe(V& v) {
    v(&EpochRow::epoch, "epoch", kCount);
    v(&EpochRow::seconds, "seconds", Plain());
    v(&EpochRow::steps, "steps", kCount);
    v(&EpochRow::samples, "samples", kCount);
    v(&EpochRow::train_loss, "trainLoss", Plain());
    v(&EpochRow::learning_rate, "learningRate", Plain());
    v(&EpochRow::top1, "top1", Plain());
    v(&EpochRow::top5, "top5", Plain());
    v(&EpochRow::validation_loss, "validationLoss", Plain());
    v(&EpochRow::psnr_decibels, "psnrDecibels", Plain());
    v(&EpochRow::input_psnr_decibels, "inputPsnrDecibels", Plain());
    v(&EpochRow::evaluate_seconds, "evaluateSeconds", Plain());
  }
};

// What the worker serves at /v1/progress: the fields of `now`, and beside them "epochs", the newest
// kMaxProgressEpochs of those that are finished, and "staging", if there is any. Readers that want
// `now` alone read api::Progress and take nothing for the rest; they read at most 64 KiB.
inline constexpr size_t kMaxProgressEpochs = 100;
struct WorkerProgress {
  api::Progress now;
  std::vector<EpochRow> epochs;
  std::optional<StagingFacts> staging;
};

// The per-step series, one entry for every `stride` training steps in order, all of equal length.
struct StepSeries {
  int64_t stride = 1;  // above 1 in compacted reports: entries are means, of samples the sum
  std::vector<double> wall_seconds;  // the sum of the following and of other time
  std::vector<double> wait_seconds, copy_seconds, forward_seconds, backward_seconds, update_seconds;
  std::vector<double> compute_seconds;  // of replayed steps, instead of the last three
  std::vector<double> loss;
  std::vector<int64_t> samples;
  int64_t window_begin = 0;        // first step of the window
  std::vector<int64_t> discarded;  // steps inside [window_begin, end) that do not count
  template <class V>
  static void Describe(V& v) {
    v(&StepSeries::stride, "stride", Integer(1, api::kMaxSafeInteger).Default());
    v(&StepSeries::wall_seconds, "wallSeconds", Plain());
    v(&StepSeries::wait_seconds, "waitSeconds", Plain());
    v(&StepSeries::copy_seconds, "copySeconds", Plain());
    v(&StepSeries::forward_seconds, "forwardSeconds", Plain());
    v(&StepSeries::backward_seconds, "backwardSeconds", Plain());
    v(&StepSeries::update_seconds, "updateSeconds", Plain());
    v(&StepSeries::compute_seconds, "computeSeconds", Plain().Default());
    v(&StepSeries::loss, "loss", Plain());
    v(&StepSeries::samples, "samples", Plain());
    v(&StepSeries::window_begin, "windowBegin", kCount);
    v(&StepSeries::discarded, "discarded", Plain());
  }
};

// How the window's wall time divides; sums to wall.
struct WallPartition {
  double wall_seconds = 0, wait_seconds = 0, exposed_copy_seconds = 0, compute_seconds = 0,
         other_seconds = 0;
  template <class V>
  static void Describe(V& v) {
    v(&WallPartition::wall_seconds, "wallSeconds", Plain());
    v(&WallPartition::wait_seconds, "waitSeconds", Plain());
    v(&WallPartition::exposed_copy_seconds, "exposedCopySeconds", Plain());
    v(&WallPartition::compute_seconds, "computeSeconds", Plain());
    v(&WallPartition::other_seconds, "otherSeconds", Plain());
  }
};

// Correctness checks that travel with every number; absent where it did not apply.
struct Checks {
  std::optional<bool> loss_finite, loss_fell, samples_as_stop_rule, every_sample_once,
      published_parameters;
  template <class V>
  static void Describe(V& v) {
    v(&Checks::loss_finite, "lossFinite", Plain());
    v(&Checks::loss_fell, "lossFell", Plain());
    v(&Checks::samples_as_stop_rule, "samplesAsStopRule", Plain());
    v(&Checks::every_sample_once, "everySampleOnce", Plain());
    v(&Checks::published_parameters, "publishedParameters", Plain());
  }
};

// One GPU, or one MIG slice of it, as the driver shows it to the worker.
struct GpuFacts {
  std::string product, uuid, driver;
  std::string mig_profile;   // "1g.5gb"; "none" for a whole GPU
  std::string compute_mode;  // "default", "exclusiveProcess", ...: whether others may use it, too
  std::optional<double> power_limit_watts, memory_bytes;
  // Now is at the start of the worker, when the GPU idles.
  std::optional<double> sm_clock_megahertz, max_sm_clock_megahertz, memory_clock_megahertz,
      max_memory_clock_megahertz;
  template <class V>
  static void Describe(V& v) {
    v(&GpuFacts::product, "product", kAnyText);
    v(&GpuFacts::uuid, "uuid", kAnyText.Default());
    v(&GpuFacts::driver, "driver", kAnyText.Default());
    v(&GpuFacts::mig_profile, "migProfile", kAnyText.Default());
    v(&GpuFacts::compute_mode, "computeMode", kAnyText.Default());
    v(&GpuFacts::power_limit_watts, "powerLimitWatts", Plain());
    v(&GpuFacts::memory_bytes, "memoryBytes", Plain());
    v(&GpuFacts::sm_clock_megahertz, "smClockMegahertz", Plain());
    v(&GpuFacts::max_sm_clock_megahertz, "maxSmClockMegahertz", Plain());
    v(&GpuFacts::memory_clock_megahertz, "memoryClockMegahertz", Plain());
    v(&GpuFacts::max_memory_clock_megahertz, "maxMemoryClockMegahertz", Plain());
  }
};

// What the figures were measured on. "unknown" where it could not be observed. In a cluster the
// operator adds what the worker cannot see: image digest, cloud and GPU sharing.
struct Environment {
  std::string build_id, git_revision, build_type, compiler;
  std::string allocator;  // whose malloc, and whether it asks for huge pages
  std::string framework, cuda_version, cudnn_version, nccl_version, image_digest;
  std::string container;  // "none", or what the cgroup and the root file system say
  std::string hostname, kernel, operating_system;
  std::string cpu_model;
  int64_t logical_cpus = 0, usable_cpus = 0;  // of the machine; of this process's affinity
  std::optional<double> cpu_quota;            // CPUs, from the cgroup
  std::optional<int64_t> memory_bytes, memory_limit_bytes;
  int64_t compute_threads = 0, input_threads = 0;
  std::string cpu_capability;  // the framework's kernel dispatch: "AVX2", "AVX512", ...
  std::string cloud_provider, instance_type, region;
  std::string data_file_system, data_mount_source, data_mount_options;
  std::string gpu_sharing;  // "none", "mps", "time-slicing"
  std::vector<GpuFacts> gpus;
  std::optional<double> cpu_steal_ratio, cgroup_throttled_ratio, load_average_at_start;
  std::vector<std::string> warnings;  // "a debug build: not a measurement"
  template <class V>
  static void Describe(V& v) {
    v(&Environment::build_id, "buildId", kAnyText);
    v(&Environment::git_revision, "gitRevision", kAnyText);
    v(&Environment::build_type, "buildType", kAnyText);
    v(&Environment::compiler, "compiler", kAnyText);
    v(&Environment::allocator, "allocator", kAnyText.Default());
    v(&Environment::framework, "framework", kAnyText);
    v(&Environment::cuda_version, "cudaVersion", kAnyText);
    v(&Environment::cudnn_version, "cudnnVersion", kAnyText);
    v(&Environment::nccl_version, "ncclVersion", kAnyText);
    v(&Environment::image_digest, "imageDigest", kAnyText);
    v(&Environment::container, "container", kAnyText);
    v(&Environment::hostname, "hostname", kAnyText);
    v(&Environment::kernel, "kernel", kAnyText);
    v(&Environment::operating_system, "operatingSystem", kAnyText);
    v(&Environment::cpu_model, "cpuModel", kAnyText);
    v(&Environment::logical_cpus, "logicalCpus", kCount);
    v(&Environment::usable_cpus, "usableCpus", kCount);
    v(&Environment::cpu_quota, "cpuQuota", Plain());
    v(&Environment::memory_bytes, "memoryBytes", kCount);
    v(&Environment::memory_limit_bytes, "memoryLimitBytes", kCount);
    v(&Environment::compute_threads, "computeThreads", kCount);
    v(&Environment::input_threads, "inputThreads", kCount);
    v(&Environment::cpu_capability, "cpuCapability", kAnyText);
    v(&Environment::cloud_provider, "cloudProvider", kAnyText);
    v(&Environment::instance_type, "instanceType", kAnyText);
    v(&Environment::region, "region", kAnyText);
    v(&Environment::data_file_system, "dataFileSystem", kAnyText);
    v(&Environment::data_mount_source, "dataMountSource", kAnyText);
    v(&Environment::data_mount_options, "dataMountOptions", kAnyText);
    v(&Environment::gpu_sharing, "gpuSharing", kAnyText.Default());
    v(&Environment::gpus, "gpus", Items(0, 64));
    v(&Environment::cpu_steal_ratio, "cpuStealRatio", Plain());
    v(&Environment::cgroup_throttled_ratio, "cgroupThrottledRatio", Plain());
    v(&Environment::load_average_at_start, "loadAverageAtStart", Plain());
    v(&Environment::warnings, "warnings", Texts(0, 32, 0, 4096));
  }
};

// What one worker process measured: <results>/<job>/report.json.
struct RankReport {
  int64_t schema_version = api::kReportSchemaVersion;
  int64_t rank = 0;
  int64_t world_size = 1;
  api::RunConfig config;
  api::WorkerSummary summary;
  ModelFacts model;
  DataFacts data;
  WallPartition window;
  api::StageSeconds window_stage_seconds;  // inside the window; summary has the whole repeat's
  Checks checks;
  Environment environment;
  std::vector<EpochRow> epochs;
  StepSeries steps;
  template <class V>
  static void Describe(V& v) {
    v(&RankReport::schema_version, "schemaVersion", Integer(1, 1'000'000));
    v(&RankReport::rank, "rank", kCount);
    v(&RankReport::world_size, "worldSize", kCount);
    v(&RankReport::config, "config", Plain());
    v(&RankReport::summary, "summary", Plain());
    v(&RankReport::model, "model", Plain());
    v(&RankReport::data, "data", Plain());
    v(&RankReport::window, "window", Plain());
    v(&RankReport::window_stage_seconds, "windowStageSeconds", Plain());
    v(&RankReport::checks, "checks", Plain());
    v(&RankReport::environment, "environment", Plain());
    v(&RankReport::epochs, "epochs", Plain());
    v(&RankReport::steps, "steps", Plain());
  }
};

struct AttemptReport {
  int64_t attempt = 1;
  api::Outcome outcome = api::Outcome::kPending;
  std::string message;
  std::vector<RankReport> ranks;  // empty if the worker left none: `message` says why
  template <class V>
  static void Describe(V& v) {
    v(&AttemptReport::attempt, "attempt", Integer(1, 5));
    v(&AttemptReport::outcome, "outcome", Plain());
    v(&AttemptReport::message, "message", kAnyText.Default());
    v(&AttemptReport::ranks, "ranks", Plain());
  }
};

struct RepeatReport {
  std::string name;
  bool warmup = false;
  std::vector<AttemptReport> attempts;
  template <class V>
  static void Describe(V& v) {
    v(&RepeatReport::name, "name", kAnyText);
    v(&RepeatReport::warmup, "warmup", Plain());
    v(&RepeatReport::attempts, "attempts", Plain());
  }
};

// <out>/report.json: the whole run. `status` is the same document as in the resource.
struct RunReport {
  int64_t schema_version = api::kReportSchemaVersion;
  std::string name, ns, uid;
  api::RunSpec spec;
  api::RunStatus status;
  std::vector<RepeatReport> repeats;
  template <class V>
  static void Describe(V& v) {
    v(&RunReport::schema_version, "schemaVersion", Integer(1, 1'000'000));
    v(&RunReport::name, "name", kAnyText);
    v(&RunReport::ns, "namespace", kAnyText.Default());
    v(&RunReport::uid, "uid", kAnyText.Default());
    v(&RunReport::spec, "spec", Plain());
    v(&RunReport::status, "status", Plain());
    v(&RunReport::repeats, "repeats", Plain());
  }
};

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_REPORT_H_

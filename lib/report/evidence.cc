// What stands beside the figures: what was run, on what, whether it was right, and what went wrong.
#include <algorithm>

#include "lib/base/number.h"
#include "lib/base/text.h"
#include "lib/report/fields.h"
#include "lib/report/tables.h"

namespace fairlap::report {
namespace {

using api::RepeatStatus;
using base::EnumName;
using base::FormatNumber;

// The first counted repeat's, or any where none was counted.
const RankReport* RepresentativeRank(const RunReport& report) {
  const RankReport* any = nullptr;
  const RankReport* counted = nullptr;
  ForEachRank(report,
              [&](const RepeatReport& repeat, const AttemptReport&, const RankReport& rank) {
                if (any == nullptr) any = &rank;
                if (counted == nullptr && !repeat.warmup) counted = &rank;
              });
  return counted != nullptr ? counted : any;
}

// A table of names and values.
class Facts {
 public:
  Facts() { table_.columns = {{"name", "Fact"}, {"value", "Value"}}; }
  void Add(std::string name, Cell value) {
    const auto* text = std::get_if<std::string>(&value);
    const bool empty = std::holds_alternative<std::monostate>(value) || (text && text->empty());
    if (!empty) table_.rows.push_back({std::move(name), AsText(value)});
  }
  Table Take() { return std::move(table_); }

 private:
  // One column of mixed values reads best as text.
  static Cell AsText(const Cell& value) {
    if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&value)) return FormatNumber(*number);
    return value;
  }
  Table table_;
};

std::string StopText(const api::StopSpec& stop) {
  if (stop.steps) return std::to_string(*stop.steps) + " steps";
  if (stop.epochs) return std::to_string(*stop.epochs) + " epochs";
  if (!stop.accuracy) return "";
  return std::string(EnumName(stop.accuracy->metric)) + " of " + stop.accuracy->target.text +
         ", at most " + std::to_string(stop.accuracy->max_epochs) + " epochs";
}

// "NVIDIA H200, driver 570.1, 150754820096 bytes, power limit 700 W, SM 345 of 1980 MHz, ..."
std::string GpuText(const GpuFacts& gpu) {
  std::vector<std::string> parts = {gpu.product};
  if (!gpu.mig_profile.empty()) parts.push_back("MIG " + gpu.mig_profile);
  if (!gpu.driver.empty()) parts.push_back("driver " + gpu.driver);
  if (!gpu.compute_mode.empty()) parts.push_back("compute mode " + gpu.compute_mode);
  if (gpu.memory_bytes) parts.push_back(FormatNumber(*gpu.memory_bytes / 1e9) + " GB");
  if (gpu.power_limit_watts) {
    parts.push_back("power limit " + FormatNumber(*gpu.power_limit_watts) + " W");
  }
  const auto add_clock = [&parts](const char* name, const std::optional<double>& now,
                                  const std::optional<double>& limit) {
    if (!now && !limit) return;
    parts.push_back(std::string(name) + " clock " + (now ? FormatNumber(*now) : "unknown") +
                    " of at most " + (limit ? FormatNumber(*limit) : "unknown") + " MHz");
  };
  add_clock("SM", gpu.sm_clock_megahertz, gpu.max_sm_clock_megahertz);
  add_clock("memory", gpu.memory_clock_megahertz, gpu.max_memory_clock_megahertz);
  return base::Join(parts);
}

// "990 of 1000 files, 114 MB written in 2.5 s, 45.6 MB/s; 12 were there already"
std::string StagingText(const StagingFacts& staging) {
  const double megabytes = static_cast<double>(staging.bytes) / 1e6;
  std::string text = std::to_string(staging.files) + " of " + std::to_string(staging.total_files) +
                     " files, " + FormatNumber(megabytes) + " MB written in " +
                     FormatNumber(staging.seconds) + " s";
  if (staging.seconds > 0) text += ", " + FormatNumber(megabytes / staging.seconds) + " MB/s";
  if (staging.kept_files > 0) {
    text += "; " + std::to_string(staging.kept_files) + " were there already";
  }
  return text;
}

Cell CheckCell(const std::optional<bool>& check) {
  return check ? Cell(std::string(*check ? "yes" : "NO")) : Cell();
}

bool AnyChecked(const Checks& checks) {
  return checks.loss_finite || checks.loss_fell || checks.samples_as_stop_rule ||
         checks.every_sample_once || checks.published_parameters;
}

struct CheckedRepeat {
  const RepeatReport* repeat;
  const RankReport* rank;
};

Field<CheckedRepeat> Check(std::optional<bool> Checks::*member, std::string key,
                           std::string title) {
  return {{std::move(key), std::move(title)},
          [member](const CheckedRepeat& row) { return CheckCell((row.rank->checks).*member); }};
}

// Each text once, in the order of arrival, with the repeats it is true of.
class Warnings {
 public:
  void Add(std::string text) { Find(std::move(text)); }
  void AddOf(const std::string& repeat, std::string text) {
    std::vector<std::string>& repeats = Find(std::move(text)).repeats;
    if (std::find(repeats.begin(), repeats.end(), repeat) == repeats.end())
      repeats.push_back(repeat);
  }
  std::vector<std::string> Take() const {
    std::vector<std::string> texts;
    for (const Warning& warning : all_) {
      const bool of_repeats = !warning.repeats.empty();
      texts.push_back((of_repeats ? "repeat " + base::Join(warning.repeats) + ": " : "") +
                      warning.text);
    }
    return texts;
  }

 private:
  struct Warning {
    std::string text;
    std::vector<std::string> repeats;
  };
  Warning& Find(std::string text) {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const Warning& w) { return w.text == text; });
    return found != all_.end() ? *found : all_.emplace_back(Warning{std::move(text), {}});
  }
  std::vector<Warning> all_;
};

void AddFailures(const RunReport& report, Warnings& warnings) {
  for (const RepeatStatus& repeat : report.status.repeats) {
    for (const api::AttemptStatus& attempt : repeat.attempts) {
      const std::string who =
          "repeat " + repeat.name + ", attempt " + std::to_string(attempt.attempt) + ": ";
      if (attempt.outcome == api::Outcome::kFailed ||
          attempt.outcome == api::Outcome::kInterrupted) {
        warnings.Add(who + std::string(EnumName(attempt.outcome)) + ": " +
                     attempt.message.value_or(attempt.reason.value_or("no reason was left")));
      }
      for (const std::string& lost : attempt.lost) warnings.Add(who + "lost: " + lost);
    }
  }
}

void AddBadFiles(const RepeatReport& repeat, const DataFacts& data, Warnings& warnings) {
  if (data.bad_file_count == 0) return;
  std::string text = std::to_string(data.bad_file_count) + " files could not be used";
  if (data.unreadable_file_count > 0) {
    text += " (" + std::to_string(data.unreadable_file_count) + " could not be read)";
  }
  constexpr size_t kShown = 3;
  for (size_t i = 0; i < std::min(kShown, data.bad_files.size()); ++i) {
    text += (i == 0 ? ": " : "; ") + data.bad_files[i].path + " (" + data.bad_files[i].reason + ")";
  }
  warnings.AddOf(repeat.name, text);
}

void AddCacheState(const RepeatReport& repeat, const RankReport& rank, Warnings& warnings) {
  const api::RepeatFigures& figures = rank.summary.figures;
  if (figures.cache_state != api::CacheState::kUnverified || !figures.cache_state_reason) return;
  warnings.AddOf(repeat.name, "the page cache is not verified to be " +
                                  std::string(EnumName(rank.config.cache)) + ": " +
                                  *figures.cache_state_reason);
}

}  // namespace

Table MakeRunTable(const RunReport& report) {
  Facts facts;
  const api::RunSpec& spec = report.spec;
  facts.Add("Model", std::string(EnumName(spec.software.model)));
  facts.Add("Precision", std::string(EnumName(spec.software.precision)));
  facts.Add("Data set", std::string(EnumName(spec.problem.dataset.format)));
  facts.Add("Batch size per device", MakeCell(spec.problem.batch_size));
  facts.Add("Global batch size", MakeCell(spec.problem.global_batch_size));
  facts.Add("Optimizer", std::string(EnumName(spec.problem.optimizer.name)) + ", learning rate " +
                             spec.problem.optimizer.learning_rate.text);
  facts.Add("Stops after", StopText(spec.problem.stop));
  facts.Add("Device", std::string(EnumName(spec.compute.device)));
  facts.Add("Input threads", spec.software.input.threads);
  facts.Add("Seed", MakeCell(report.status.seed));
  facts.Add("Started", MakeCell(report.status.start_time));
  facts.Add("Completed", MakeCell(report.status.completion_time));
  if (const RankReport* rank = RepresentativeRank(report)) {
    facts.Add("Parameters", rank->model.parameters);
    facts.Add("Image size", rank->model.image_size);
    facts.Add("Training images", rank->data.train_samples);
    if (rank->data.validation_samples > 0) {
      facts.Add("Validation images", rank->data.validation_samples);
    }
    facts.Add("Bytes of these images", rank->data.bytes);
    facts.Add("Data set identity", rank->data.identity);
    if (rank->data.staging) facts.Add("Copied to scratch", StagingText(*rank->data.staging));
  }
  return facts.Take();
}

Table MakeEnvironmentTable(const RunReport& report) {
  Facts facts;
  const RankReport* rank = RepresentativeRank(report);
  if (rank == nullptr) return {};
  const Environment& seen = rank->environment;
  facts.Add("Host", seen.hostname);
  facts.Add("Container", seen.container);
  facts.Add("Operating system", seen.operating_system);
  facts.Add("Kernel", seen.kernel);
  facts.Add("CPU", seen.cpu_model);
  facts.Add("Usable CPUs",
            std::to_string(seen.usable_cpus) + " of " + std::to_string(seen.logical_cpus));
  facts.Add("CPU quota", MakeCell(seen.cpu_quota));
  facts.Add("CPU kernels", seen.cpu_capability);
  facts.Add("Memory, bytes", MakeCell(seen.memory_bytes));
  facts.Add("Memory limit, bytes", MakeCell(seen.memory_limit_bytes));
  facts.Add("Compute threads", seen.compute_threads);
  facts.Add("Framework", seen.framework);
  facts.Add("Memory allocator", seen.allocator);
  facts.Add("CUDA", seen.cuda_version);
  facts.Add("cuDNN", seen.cudnn_version);
  facts.Add("NCCL", seen.nccl_version);
  for (const GpuFacts& gpu : seen.gpus) facts.Add("GPU", GpuText(gpu));
  if (!seen.gpus.empty()) facts.Add("GPU sharing", seen.gpu_sharing);
  facts.Add("Build", seen.build_id + ", " + seen.build_type + ", " + seen.compiler);
  facts.Add("Git revision", seen.git_revision);
  facts.Add("Image", seen.image_digest);
  facts.Add("Cloud provider", seen.cloud_provider);
  facts.Add("Instance type", seen.instance_type);
  facts.Add("Region", seen.region);
  facts.Add("Data file system", seen.data_file_system);
  facts.Add("Data mounted from", seen.data_mount_source);
  facts.Add("Data mount options", seen.data_mount_options);
  facts.Add("CPU steal ratio", MakeCell(seen.cpu_steal_ratio));
  facts.Add("Throttled ratio", MakeCell(seen.cgroup_throttled_ratio));
  facts.Add("Load at start", MakeCell(seen.load_average_at_start));
  return facts.Take();
}

Table MakeChecksTable(const RunReport& report) {
  std::vector<CheckedRepeat> rows;
  ForEachRank(report,
              [&rows](const RepeatReport& repeat, const AttemptReport&, const RankReport& rank) {
                if (AnyChecked(rank.checks)) rows.push_back({&repeat, &rank});
              });
  const std::vector<Field<CheckedRepeat>> fields = {
      {{"repeat", "Repeat"}, [](const CheckedRepeat& row) { return Cell(row.repeat->name); }},
      Check(&Checks::loss_finite, "lossFinite", "Loss finite"),
      Check(&Checks::loss_fell, "lossFell", "Loss fell"),
      Check(&Checks::samples_as_stop_rule, "samplesAsStopRule", "Images as stop rule"),
      Check(&Checks::every_sample_once, "everySampleOnce", "Every image once an epoch"),
      Check(&Checks::published_parameters, "publishedParameters", "Published parameters")};
  return MakeTable(fields, rows);
}

std::vector<std::string> MakeWarnings(const RunReport& report) {
  Warnings warnings;
  if (!report.status.completion_time) {
    warnings.Add("the run was not finished when this report was written");
  }
  AddFailures(report, warnings);
  if (report.status.summary) {
    for (const std::string& flag : report.status.summary->flags) warnings.Add(flag);
    if (report.status.summary->mixed) {
      warnings.Add(
          "mixed: the repeats ran under different conditions, so there is no common summary");
    }
  }
  ForEachRank(report, [&warnings](const RepeatReport& repeat, const AttemptReport&,
                                  const RankReport& rank) {
    for (const std::string& text : rank.environment.warnings) warnings.AddOf(repeat.name, text);
    AddBadFiles(repeat, rank.data, warnings);
    AddCacheState(repeat, rank, warnings);
  });
  return warnings.Take();
}

}  // namespace fairlap::report

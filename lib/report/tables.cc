#include "lib/report/tables.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <type_traits>

#include "lib/report/fields.h"

namespace fairlap::report {
namespace {

using api::RepeatFigures;
using api::RepeatStatus;
using api::RunSummary;
using base::EnumName;

constexpr bool kDetail = true;

template <class T>
Field<RepeatStatus> Figure(std::optional<T> RepeatFigures::*member, std::string key,
                           std::string title, bool detail = false) {
  return {{std::move(key), std::move(title), detail}, [member](const RepeatStatus& repeat) {
            return repeat.figures ? MakeCell((*repeat.figures).*member) : Cell();
          }};
}
Field<RepeatStatus> Figure(int64_t RepeatFigures::*member, std::string key, std::string title,
                           bool detail = false) {
  return {{std::move(key), std::move(title), detail}, [member](const RepeatStatus& repeat) {
            return repeat.figures ? Cell((*repeat.figures).*member) : Cell();
          }};
}
template <class E>
requires std::is_enum_v<E> Field<RepeatStatus> Figure(E RepeatFigures::*member, std::string key,
                                                      std::string title) {
  return {{std::move(key), std::move(title), false}, [member](const RepeatStatus& repeat) {
            return repeat.figures ? Cell(std::string(EnumName((*repeat.figures).*member))) : Cell();
          }};
}
struct StageColumn {
  const char* name;
  const char* title;
  std::optional<double> api::StageSeconds::*member;
};
constexpr StageColumn kStages[] = {{"read", "Read*", &api::StageSeconds::read},
                                   {"decode", "Decode*", &api::StageSeconds::decode},
                                   {"transform", "Transform*", &api::StageSeconds::transform},
                                   {"wait", "Wait", &api::StageSeconds::wait},
                                   {"copy", "Copy", &api::StageSeconds::copy},
                                   {"forward", "Forward", &api::StageSeconds::forward},
                                   {"backward", "Backward", &api::StageSeconds::backward},
                                   {"update", "Update", &api::StageSeconds::update},
                                   {"compute", "Graph", &api::StageSeconds::compute},
                                   {"allReduce", "All-reduce", &api::StageSeconds::all_reduce},
                                   {"evaluate", "Evaluate", &api::StageSeconds::evaluate},
                                   {"stageIn", "Stage in", &api::StageSeconds::stage_in},
                                   {"cachePrepare", "Cache", &api::StageSeconds::cache_prepare}};

Field<RepeatStatus> Stage(const StageColumn& stage, std::string key, bool detail) {
  return {{std::move(key), stage.title, detail},
          [member = stage.member](const RepeatStatus& repeat) {
            return repeat.figures ? MakeCell((repeat.figures->stage_seconds).*member) : Cell();
          }};
}

std::vector<Field<RepeatStatus>> RepeatFields() {
  using F = RepeatFigures;
  std::vector<Field<RepeatStatus>> fields = {
      {{"repeat", "Repeat"}, [](const RepeatStatus& r) { return Cell(r.name); }},
      {{"counted", "Counted"},
       [](const RepeatStatus& r) { return Cell(std::string(r.warmup ? "warm-up" : "yes")); }},
      {{"outcome", "Outcome"},
       [](const RepeatStatus& r) { return Cell(std::string(EnumName(r.outcome))); }},
      {{"attempts", "Attempts", kDetail},
       [](const RepeatStatus& r) { return Cell(static_cast<int64_t>(r.attempts.size())); }},
      {{"seed", "Seed", kDetail}, [](const RepeatStatus& r) { return Cell(r.seed); }},
      Figure(&F::samples_per_second, "samplesPerSecond", "Images/s"),
      Figure(&F::window_state, "windowState", "Window"),
      Figure(&F::window_steps, "windowSteps", "Window steps"),
      Figure(&F::window_seconds, "windowSeconds", "Window s", kDetail),
      Figure(&F::data_stall_ratio, "dataStallRatio", "Stall ratio"),
      Figure(&F::bottleneck, "bottleneck", "Bottleneck"),
      Figure(&F::bottleneck_reason, "bottleneckReason", "Why", kDetail),
      Figure(&F::input_stall_share, "inputStallShare", "Input stall", kDetail),
      Figure(&F::exposed_copy_share, "exposedCopyShare", "Exposed copy", kDetail),
      Figure(&F::input_threads_busy_ratio, "inputThreadsBusyRatio", "Input threads busy", kDetail),
      Figure(&F::queue_depth, "queueDepth", "Ready batches", kDetail),
      Figure(&F::cache_state, "cacheState", "Cache"),
      Figure(&F::cache_state_reason, "cacheStateReason", "Cache state because", kDetail),
      Figure(&F::step_seconds_p50, "stepSecondsP50", "Step p50 s"),
      Figure(&F::step_seconds_p95, "stepSecondsP95", "p95 s"),
      Figure(&F::step_seconds_p99, "stepSecondsP99", "p99 s", kDetail),
      Figure(&F::step_seconds_jitter, "stepSecondsJitter", "Jitter s", kDetail),
      Figure(&F::steps, "steps", "Steps"),
      Figure(&F::samples, "samples", "Images", kDetail),
      Figure(&F::epochs, "epochs", "Epochs", kDetail),
      Figure(&F::bad_files, "badFiles", "Bad files", kDetail),
      Figure(&F::first_loss, "firstLoss", "First loss"),
      Figure(&F::final_loss, "finalLoss", "Final loss"),
      Figure(&F::top1, "top1", "Top-1"),
      Figure(&F::top5, "top5", "Top-5", kDetail),
      Figure(&F::validation_loss, "validationLoss", "Validation loss", kDetail),
      Figure(&F::psnr_decibels, "psnrDecibels", "PSNR dB"),
      Figure(&F::input_psnr_decibels, "inputPsnrDecibels", "Input PSNR dB"),
      Figure(&F::time_to_first_result_seconds, "timeToFirstResultSeconds", "First result s"),
      Figure(&F::time_to_results_seconds, "timeToResultsSeconds", "Results s"),
      Figure(&F::time_to_accuracy_seconds, "timeToAccuracySeconds", "Accuracy s"),
      Figure(&F::read_bytes_requested, "readBytesRequested", "Bytes", kDetail),
      Figure(&F::read_bytes_fetched, "readBytesFetched", "Fetched", kDetail),
      Figure(&F::cost, "cost", "Cost"),
  };
  for (const StageColumn& stage : kStages) {
    fields.push_back(Stage(stage, std::string(stage.name) + "Seconds", kDetail));
  }
  return fields;
}

struct Metric {
  const char* key;
  const char* title;
  const stats::Summary* summary;
};

std::vector<Metric> MetricsOf(const RunSummary& summary) {
  const std::tuple<const char*, const char*, std::optional<stats::Summary> RunSummary::*> all[] = {
      {"samplesPerSecond", "Images/s", &RunSummary::samples_per_second},
      {"dataStallRatio", "Input stall ratio", &RunSummary::data_stall_ratio},
      {"timeToFirstResultSeconds", "Time to first result, s",
       &RunSummary::time_to_first_result_seconds},
      {"timeToResultsSeconds", "Time to results, s", &RunSummary::time_to_results_seconds},
      {"timeToAccuracySeconds", "Time to accuracy, s", &RunSummary::time_to_accuracy_seconds},
      {"top1", "Top-1 accuracy", &RunSummary::top1},
      {"psnrDecibels", "PSNR, dB", &RunSummary::psnr_decibels},
      {"finalLoss", "Final loss", &RunSummary::final_loss},
      {"cost", "Cost", &RunSummary::cost}};
  std::vector<Metric> metrics;
  for (const auto& [key, title, member] : all) {
    if (summary.*member) metrics.push_back({key, title, &*(summary.*member)});
  }
  return metrics;
}

Field<Metric> Statistic(std::optional<double> stats::Summary::*member, std::string key,
                        std::string title, bool detail = false) {
  return {{std::move(key), std::move(title), detail},
          [member](const Metric& metric) { return MakeCell((*metric.summary).*member); }};
}

struct EpochOf {
  const RepeatReport* repeat;
  const AttemptReport* attempt;
  const EpochRow* epoch;
};

template <class M>
Field<EpochOf> OfEpoch(M EpochRow::*member, std::string key, std::string title) {
  return {{std::move(key), std::move(title)}, [member](const EpochOf& row) {
            if constexpr (base::kIsOptional<M>) {
              return MakeCell((*row.epoch).*member);
            } else {
              return Cell((*row.epoch).*member);
            }
          }};
}

}  // namespace

Table MakeRepeatsTable(const RunReport& report) {
  return MakeTable(RepeatFields(), report.status.repeats);
}

Table MakeStagesTable(const RunReport& report) {
  std::vector<Field<RepeatStatus>> fields = {
      {{"repeat", "Repeat"}, [](const RepeatStatus& r) { return Cell(r.name); }}};
  for (const StageColumn& stage : kStages) fields.push_back(Stage(stage, stage.name, false));
  std::vector<RepeatStatus> measured;
  for (const RepeatStatus& repeat : report.status.repeats) {
    const bool any =
        repeat.figures &&
        std::any_of(std::begin(kStages), std::end(kStages), [&](const StageColumn& stage) {
          return (repeat.figures->stage_seconds.*stage.member).has_value();
        });
    if (any) measured.push_back(repeat);
  }
  return MakeTable(fields, measured);
}

std::vector<std::string> ExplainBottlenecks(const RunReport& report) {
  std::vector<std::string> lines;
  for (const RepeatStatus& repeat : report.status.repeats) {
    if (!repeat.figures || !repeat.figures->bottleneck_reason) continue;
    lines.push_back("repeat " + repeat.name + ": bottleneck " +
                    std::string(EnumName(repeat.figures->bottleneck)) +
                    " in the window: " + *repeat.figures->bottleneck_reason);
  }
  return lines;
}

Table MakeSummaryTable(const RunReport& report) {
  using S = stats::Summary;
  const std::vector<Field<Metric>> fields = {
      {{"metric", "", kDetail}, [](const Metric& m) { return Cell(std::string(m.key)); }},
      {{"title", "Metric"}, [](const Metric& m) { return Cell(std::string(m.title)); }},
      {{"n", "n"}, [](const Metric& m) { return Cell(m.summary->n); }},
      {{"succeeded", "Succeeded"}, [](const Metric& m) { return Cell(m.summary->succeeded); }},
      Statistic(&S::mean, "mean", "Mean"),
      Statistic(&S::confidence_low, "confidenceLow", "95 % from"),
      Statistic(&S::confidence_high, "confidenceHigh", "95 % to"),
      Statistic(&S::median, "median", "Median"),
      Statistic(&S::standard_deviation, "standardDeviation", "SD"),
      Statistic(&S::minimum, "minimum", "Min"),
      Statistic(&S::maximum, "maximum", "Max"),
      Statistic(&S::olympic_mean, "olympicMean", "Olympic mean", kDetail),
      Statistic(&S::best, "best", "Best", kDetail)};
  const bool has_summary = report.status.summary && !report.status.summary->mixed;
  return MakeTable(fields, has_summary ? MetricsOf(*report.status.summary) : std::vector<Metric>());
}

Table MakeEpochsTable(const RunReport& report) {
  std::vector<EpochOf> rows;
  ForEachRank(report, [&rows](const RepeatReport& repeat, const AttemptReport& attempt,
                              const RankReport& rank) {
    if (rank.rank != 0) return;  // every rank trains the same epochs
    for (const EpochRow& epoch : rank.epochs) rows.push_back({&repeat, &attempt, &epoch});
  });
  using E = EpochRow;
  const std::vector<Field<EpochOf>> fields = {
      {{"repeat", "Repeat"}, [](const EpochOf& row) { return Cell(row.repeat->name); }},
      {{"attempt", "Attempt"}, [](const EpochOf& row) { return Cell(row.attempt->attempt); }},
      OfEpoch(&E::epoch, "epoch", "Epoch"),
      OfEpoch(&E::seconds, "seconds", "Seconds"),
      OfEpoch(&E::steps, "steps", "Steps"),
      OfEpoch(&E::samples, "samples", "Images"),
      OfEpoch(&E::train_loss, "trainLoss", "Train loss"),
      OfEpoch(&E::learning_rate, "learningRate", "Learning rate"),
      OfEpoch(&E::top1, "top1", "Top-1"),
      OfEpoch(&E::top5, "top5", "Top-5"),
      OfEpoch(&E::validation_loss, "validationLoss", "Validation loss"),
      OfEpoch(&E::psnr_decibels, "psnrDecibels", "PSNR dB"),
      OfEpoch(&E::input_psnr_decibels, "inputPsnrDecibels", "Input PSNR dB"),
      OfEpoch(&E::evaluate_seconds, "evaluateSeconds", "Evaluation s")};
  return MakeTable(fields, rows);
}

}  // namespace fairlap::report

#include "operator/plan/fit.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "operator/plan/attempts.h"
#include "operator/plan/text.h"

namespace fairlap::plan {
namespace {

constexpr size_t kShortText = 64;

size_t SizeOf(const api::RunStatus& status) { return base::Encode(status).dump().size(); }

void ShortenTexts(api::AttemptStatus& attempt) {
  if (attempt.message) attempt.message = Cut(*attempt.message, kShortText);
  if (attempt.lost.size() > 1) attempt.lost.resize(1);
}

using Marks = api::ClockMarks;

void KeepMarks(std::initializer_list<std::optional<std::string> Marks::*> kept, Marks& marks) {
  const Marks all = std::exchange(marks, {});
  for (const auto member : kept) marks.*member = all.*member;
}

void DropEarlierDetails(api::RepeatStatus& repeat) {
  for (size_t i = 0; i + 1 < repeat.attempts.size(); ++i) {
    api::AttemptStatus& attempt = repeat.attempts[i];
    KeepMarks({&Marks::job_created}, attempt.marks);
    attempt.nodes.clear();
    ShortenTexts(attempt);
  }
}

void DropFigureDetails(api::RepeatStatus& repeat) {
  if (!repeat.figures) return;
  api::RepeatFigures& figures = *repeat.figures;
  figures.stage_seconds = {};
  figures.bottleneck_reason.reset();
  const api::StallState state = figures.stall_analysis.state;
  figures.stall_analysis = {};
  figures.stall_analysis.state = state;
  for (auto* detail :
       {&figures.step_seconds_p99, &figures.step_seconds_jitter, &figures.step_seconds_block_error,
        &figures.input_ready_ratio, &figures.window_seconds, &figures.validation_loss,
        &figures.top5, &figures.input_psnr_decibels, &figures.input_stall_share,
        &figures.exposed_copy_share, &figures.input_threads_busy_ratio, &figures.queue_depth}) {
    detail->reset();
  }
  figures.read_bytes_requested.reset();
  figures.read_bytes_fetched.reset();
}

void DropMarks(api::RepeatStatus& repeat) {
  for (api::AttemptStatus& attempt : repeat.attempts) {
    KeepMarks({&Marks::container_started, &Marks::finished}, attempt.marks);
    ShortenTexts(attempt);
    if (attempt.nodes.size() > 1) attempt.nodes.resize(1);
  }
}

void DropEarlierAttempts(api::RepeatStatus& repeat) {
  if (repeat.attempts.size() > 1)
    repeat.attempts.erase(repeat.attempts.begin(), repeat.attempts.end() - 1);
}

void DropTexts(api::RepeatStatus& repeat) {
  for (api::AttemptStatus& attempt : repeat.attempts) {
    attempt.message.reset();
    attempt.lost.clear();
    if (attempt.reason) attempt.reason = Cut(*attempt.reason, kShortText / 2);
  }
}

// What no summary is made of.
void DropOtherFigures(api::RepeatStatus& repeat) {
  if (!repeat.figures) return;
  api::RepeatFigures& figures = *repeat.figures;
  for (auto* other : {&figures.step_seconds_p50, &figures.step_seconds_p95, &figures.first_loss,
                      &figures.accelerator_utilization_ratio}) {
    other->reset();
  }
}

// Later repeats are pinned to the nodes of the first one that ran.
void DropNodes(api::RepeatStatus& repeat) {
  for (api::AttemptStatus& attempt : repeat.attempts) attempt.nodes.clear();
}

bool HasNodes(const api::RepeatStatus& repeat) {
  return std::any_of(repeat.attempts.begin(), repeat.attempts.end(), [](const auto& attempt) {
    return attempt.marks.container_started && !attempt.nodes.empty();
  });
}

// Its name follows from the job's.
void DropReportNames(api::RepeatStatus& repeat) {
  for (api::AttemptStatus& attempt : repeat.attempts) attempt.report.reset();
}

// The repeats' own figures hold the values, and what is only described by them.
void DropSummaryDetails(api::RunSummary& summary) {
  using S = api::RunSummary;
  for (const auto metric :
       {&S::samples_per_second, &S::time_to_first_result_seconds, &S::time_to_results_seconds,
        &S::time_to_accuracy_seconds, &S::data_stall_ratio, &S::top1, &S::psnr_decibels,
        &S::final_loss, &S::cost}) {
    if (!(summary.*metric)) continue;
    stats::Summary& all = *(summary.*metric);
    all.values.clear();
    for (auto* description : {&all.minimum, &all.maximum, &all.olympic_mean, &all.best}) {
      description->reset();
    }
  }
}

// Whole seconds do for what is still made of them, an eta.
void CutMarks(api::RepeatStatus& repeat) {
  constexpr size_t kToSeconds = 19;  // "2026-03-01T12:00:00"
  for (api::AttemptStatus& attempt : repeat.attempts) {
    for (auto* mark : {&attempt.marks.container_started, &attempt.marks.finished}) {
      if (*mark && (*mark)->size() > kToSeconds) *mark = (*mark)->substr(0, kToSeconds) + "Z";
    }
  }
}

void DropNodesOfLaterRepeats(api::RunStatus& status) {
  const auto first = std::find_if(status.repeats.begin(), status.repeats.end(), HasNodes);
  if (first == status.repeats.end()) return;
  std::for_each(first + 1, status.repeats.end(), [](api::RepeatStatus& repeat) {
    if (IsOver(repeat.outcome)) DropNodes(repeat);
  });
}

}  // namespace

void FitStatus(api::RunStatus& status, size_t max_bytes) {
  for (const auto drop : {DropEarlierDetails, DropFigureDetails, DropMarks, DropEarlierAttempts,
                          DropTexts, DropOtherFigures, DropReportNames, CutMarks}) {
    if (SizeOf(status) <= max_bytes) return;
    for (api::RepeatStatus& repeat : status.repeats) {
      if (IsOver(repeat.outcome)) drop(repeat);
    }
  }
  if (status.summary && SizeOf(status) > max_bytes) DropSummaryDetails(*status.summary);
  if (SizeOf(status) > max_bytes) DropNodesOfLaterRepeats(status);
}

}  // namespace fairlap::plan

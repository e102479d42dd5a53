#include "cli/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "lib/base/text.h"

namespace fairlap::cli {
namespace {

using api::Progress;
using api::StageSeconds;
using base::CountCharacters;

constexpr int64_t kBarWidth = 20;
constexpr char kGreen[] = "\x1b[32m";
constexpr char kReset[] = "\x1b[0m";

template <class... Args>
std::string Print(const char* format, Args... args) {
  char text[64];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

std::string Head(const ProgressView& view) {
  return "repeat " + std::to_string(view.position) + "/" + std::to_string(view.count) +
         (view.warmup ? " (warm-up)" : "");
}

// What a worker says is text from another process.
std::string Phase(const ProgressView& view) {
  if (!view.worker) return "starting";
  return view.worker->phase == "training" ? "" : base::Printable(view.worker->phase);
}

double Ratio(const Progress& worker) {
  return std::clamp(worker.percent.value_or(0) / 100, 0.0, 1.0);
}

// In the order in which they are given up, last first.
std::vector<std::string> Parts(const ProgressView& view) {
  std::vector<std::string> parts;
  if (const std::string phase = Phase(view); !phase.empty()) parts.push_back(phase);
  if (!view.worker) return parts;
  const Progress& worker = *view.worker;
  std::string step = "step " + std::to_string(worker.step);
  if (worker.total_steps) step += "/" + std::to_string(*worker.total_steps);
  if (worker.percent) parts.push_back(Print("%.0f %%", 100 * Ratio(worker)));
  if (worker.samples_per_second)
    parts.push_back(Print("%.1f images/s", *worker.samples_per_second));
  const auto eta = view.eta_seconds ? view.eta_seconds : worker.eta_seconds;
  if (eta) parts.push_back("ETA " + FormatDuration(*eta));
  parts.push_back(step);
  if (worker.loss) parts.push_back(Print("loss %.3f", *worker.loss));
  if (worker.top1) parts.push_back(Print("top-1 %.3f", *worker.top1));
  if (worker.psnr_decibels) parts.push_back(Print("PSNR %.2f dB", *worker.psnr_decibels));
  return parts;
}

struct Stage {
  const char* name;
  std::optional<double> StageSeconds::*member;
};

// "read 5 decode 70 transform 25"; "" before any time was spent.
std::string Split(const StageSeconds& seconds, const std::vector<Stage>& stages) {
  double total = 0;
  for (const Stage& stage : stages) total += (seconds.*stage.member).value_or(0);
  if (!(total > 0)) return "";
  std::string text;
  for (const Stage& stage : stages) {
    if (!(seconds.*stage.member)) continue;
    const double percent = 100 * *(seconds.*stage.member) / total;
    text += (text.empty() ? "" : " ") + std::string(stage.name) + Print(" %.0f", percent);
  }
  return text;
}

std::vector<std::string> SplitParts(const StageSeconds& seconds) {
  using S = StageSeconds;
  const std::string step = Split(seconds, {{"wait", &S::wait},
                                           {"copy", &S::copy},
                                           {"forward", &S::forward},
                                           {"backward", &S::backward},
                                           {"update", &S::update},
                                           {"allReduce", &S::all_reduce}});
  const std::string input =
      Split(seconds, {{"read", &S::read}, {"decode", &S::decode}, {"transform", &S::transform}});
  std::vector<std::string> parts;
  if (!step.empty()) parts.push_back("step %: " + step);
  if (!input.empty()) parts.push_back("input %: " + input);
  return parts;
}

// As many whole parts as fit, two spaces apart.
std::string Join(const std::string& head, const std::vector<std::string>& parts, int64_t width) {
  std::string line = head;
  for (const std::string& part : parts) {
    const std::string longer = line.empty() ? part : line + "  " + part;
    if (CountCharacters(longer) > width) break;
    line = longer;
  }
  return line;
}

std::string Bar(double ratio, bool utf8) {
  const auto full = static_cast<int64_t>(std::floor(ratio * kBarWidth));
  std::string bar;
  for (int64_t i = 0; i < kBarWidth; ++i) {
    if (utf8) {
      bar += i < full ? "\u2588" : "\u2591";
    } else {
      bar += i < full ? '#' : '-';
    }
  }
  return utf8 ? bar : "[" + bar + "]";
}

std::string Cut(const std::string& text, int64_t width) {
  return CountCharacters(text) <= width ? text : text.substr(0, static_cast<size_t>(width));
}

}  // namespace

std::string FormatDuration(double seconds) {
  const auto whole = static_cast<int64_t>(std::clamp(std::round(seconds), 0.0, 1e9));
  const int64_t hours = whole / 3600;
  const int64_t minutes = whole / 60 % 60;
  if (hours == 0) return Print("%ld:%02ld", minutes, whole % 60);
  return Print("%ld:%02ld:%02ld", hours, minutes, whole % 60);
}

std::vector<std::string> RenderProgress(const ProgressView& view, const LineStyle& style) {
  const std::string head = Cut(Head(view), style.width);
  const double ratio = view.worker ? Ratio(*view.worker) : 0;
  const std::string bar = Bar(ratio, style.utf8);
  const bool has_room = style.width >= CountCharacters(head) + CountCharacters(bar) + 16;
  const std::string start = has_room ? head + " " + bar : head;
  std::string first = Join(start, Parts(view), style.width);
  if (style.color && has_room) first.replace(head.size() + 1, bar.size(), kGreen + bar + kReset);
  std::string second;
  if (view.worker) second = Join("", SplitParts(view.worker->stage_seconds), style.width);
  return {first, second};
}

std::string RenderPlainProgress(const ProgressView& view) {
  std::vector<std::string> parts = Parts(view);
  if (view.worker) {
    for (std::string& part : SplitParts(view.worker->stage_seconds))
      parts.push_back(std::move(part));
  }
  constexpr int64_t kAnyWidth = 1 << 20;
  return Join(Head(view), parts, kAnyWidth);
}

}  // namespace fairlap::cli

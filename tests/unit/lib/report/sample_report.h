// A small report with everything in it that a printer has to deal with.
#ifndef FAIRLAP_TESTS_UNIT_LIB_REPORT_SAMPLE_REPORT_H_
#define FAIRLAP_TESTS_UNIT_LIB_REPORT_SAMPLE_REPORT_H_

#include "lib/report/report.h"

namespace fairlap::report {

// One warm-up run and two repeats, of which the second failed; one epoch each.
inline RunReport MakeSampleReport() {
  RunReport report;
  report.name = "sample";
  report.uid = "local-1";
  report.spec.problem.batch_size = 32;
  report.spec.problem.optimizer.learning_rate.text = "0.1";
  report.spec.problem.stop.steps = 20;
  report.status.state = "Complete";
  report.status.seed = 7;
  auto& summary = report.status.summary.emplace();
  const double rates[] = {340.25};
  summary.samples_per_second = stats::Summarise(rates, 1, stats::Better::kHigher);
  summary.flags = {"unsteady: repeat 1 varied by 7 %"};
  for (const char* name : {"w1", "1", "2"}) {
    const bool failed = name == std::string("2");
    auto& repeat = report.status.repeats.emplace_back();
    repeat.name = name;
    repeat.warmup = name[0] == 'w';
    repeat.seed = 9007199254740991;
    repeat.outcome = failed ? api::Outcome::kFailed : api::Outcome::kSucceeded;
    auto& attempt = repeat.attempts.emplace_back();
    attempt.job = "sample-" + repeat.name + "-1";
    attempt.outcome = repeat.outcome;
    auto& made = report.repeats.emplace_back();
    made.name = name;
    made.warmup = repeat.warmup;
    auto& tried = made.attempts.emplace_back();
    tried.outcome = repeat.outcome;
    if (failed) {
      attempt.message = "the worker was killed by signal 9 (SIGKILL)";
      continue;
    }
    auto& figures = repeat.figures.emplace();
    figures.samples_per_second = 340.25;
    figures.steps = 20;
    auto& rank = tried.ranks.emplace_back();
    rank.config.identity = {"sample", "", "local-1", attempt.job, name, repeat.warmup, 1};
    rank.config.problem = report.spec.problem;
    rank.summary.outcome = api::Outcome::kSucceeded;
    rank.environment.cpu_model = "A|B <CPU>";
    rank.environment.warnings = {"a debug build: not a measurement"};
    rank.checks.loss_finite = true;
    rank.checks.loss_fell = false;
    EpochRow& epoch = rank.epochs.emplace_back();
    epoch.seconds = 1.5;
    epoch.steps = 20;
    epoch.samples = 640;
    epoch.train_loss = 2.25;
    epoch.psnr_decibels = 31.5;
    epoch.input_psnr_decibels = 20.25;
  }
  return report;
}

}  // namespace fairlap::report

#endif  // FAIRLAP_TESTS_UNIT_LIB_REPORT_SAMPLE_REPORT_H_

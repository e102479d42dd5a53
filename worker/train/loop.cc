#include "worker/train/loop.h"

#include <cmath>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/number.h"
#include "worker/measure/device_timer.h"
#include "worker/train/evaluate.h"
#include "worker/train/sample_ledger.h"

namespace fairlap::train {
namespace {

using measure::Boundary;

std::unique_ptr<measure::StepTimer> MakeTimer([[maybe_unused]] const torch::Device& device,
                                              const base::Clock& clock) {
#if FAIRLAP_CUDA
  if (device.is_cuda()) return measure::MakeCudaTimer(clock);
#endif
  return measure::MakeHostTimer(clock);
}

class Loop {
 public:
  Loop(const Task& task, Observer& observer, std::stop_token stop, TrainOutcome& outcome)
      : task_(task),
        observer_(observer),
        stop_(std::move(stop)),
        outcome_(outcome),
        step_(task.network, task.step),
        ledger_(task.identified_samples ? task.samples : 0),
        timer_(MakeTimer(task.step.device, task.clock)),
        marks_{.forward = [this] { timer_->Mark(Boundary::kForward); },
               .backward = [this] { timer_->Mark(Boundary::kBackward); }} {}

  base::Status Run() {
    BeginTraining();
    while (!IsFinished(task_.stop, outcome_.progress)) {
      const auto batch = NextBatch();
      if (!batch) return tl::unexpected(batch.error());
      if (batch->size > 0) {
        RunStep(*batch);
      } else if (batch->last_of_epoch) {
        EndEpochWithoutStep(batch->epoch);
      }
      if (auto status = DeliverFinishedSteps(); !status) return status;
      if (!batch->last_of_epoch) continue;
      if (auto status = EndEpoch(batch->epoch); !status) return status;
    }
    return EndTraining();
  }

  // What the input came to, now that the bad files are known. At the end, however it came.
  void TellInput() {
    const data::PipelineTotals input = task_.batches.Totals();
    observer_.OnInput(input);
    report::DataFacts& facts = outcome_.data;
    facts.bad_file_count = input.bad_files + validation_input_.bad_files;
    facts.unreadable_file_count = input.unreadable_files + validation_input_.unreadable_files;
    if (facts.bad_file_count == 0) return;
    facts.bad_files.clear();
    for (const auto& samples : {task_.batches.BadSamples(), validation_bad_}) {
      for (const data::BadSample& sample : samples) {
        if (facts.bad_files.size() == kListedBadFiles) break;
        facts.bad_files.push_back({.path = sample.path, .reason = sample.reason});
      }
    }
    observer_.OnData(facts);
  }

 private:
  static constexpr size_t kListedBadFiles = 100;

  // A step that the device may still be working on.
  struct Pending {
    StepRecord record;
    torch::Tensor loss;  // on the host once the step is completed
    bool ends_epoch = false;
    bool is_replayed = false;
  };

  void BeginTraining() {
    observer_.OnPhase(Phase::kTraining);
    timer_->Restart();
    after_pause_ = true;
  }

  base::Result<data::Batch> NextBatch() {
    timer_->Mark(Boundary::kWaiting);
    ready_batches_ = task_.batches.ready_batches();
    const auto batch = task_.batches.Next(stop_);
    if (!batch) return tl::unexpected(batch.error());
    if (!*batch) {
      return base::MakeError(base::ErrorKind::kInternal, "the input ended before the stop rule");
    }
    timer_->Mark(Boundary::kWaited);
    if (!std::exchange(saw_batch_, true)) observer_.OnMark(Mark::kFirstBatch);
    return **batch;
  }

  void RunStep(const data::Batch& batch) {
    const double learning_rate = LearningRate(task_.schedule, outcome_.progress.steps);
    const step::DeviceBatch on_device = task_.batches.ToDevice(batch);
    timer_->Mark(Boundary::kCopied);
    const torch::Tensor loss = step_.Run(on_device, learning_rate, marks_);
    if (step_.is_replayed()) {
      marks_.forward();
      marks_.backward();
    }
    torch::Tensor host_loss = loss.to(torch::kCPU, /*non_blocking=*/true);
    timer_->Mark(Boundary::kUpdated);

    Pending pending{.record = {}, .loss = std::move(host_loss), .ends_epoch = batch.last_of_epoch};
    pending.record.step = outcome_.progress.steps;
    pending.record.epoch = batch.epoch;
    pending.record.samples = batch.size;
    pending.record.learning_rate = learning_rate;
    pending.record.after_pause = std::exchange(after_pause_, false);
    pending.record.ready_batches = ready_batches_;
    pending.is_replayed = step_.is_replayed();
    pending_.push_back(std::move(pending));
    if (task_.identified_samples) ledger_.Note(batch.indices);
    outcome_.progress.steps += 1;
    outcome_.progress.samples += batch.size;
  }

  base::Status DeliverFinishedSteps() {
    // Before the steps, so that each comes with what the input threads had done at its end.
    observer_.OnInput(task_.batches.Totals());
    while (const auto times = timer_->Take()) {
      if (auto status = Deliver(*times); !status) return status;
    }
    return {};
  }

  // Before a pause and at the end: nothing may be left on the device.
  base::Status DeliverAllSteps() {
    while (const auto times = timer_->WaitAndTake()) {
      if (auto status = Deliver(*times); !status) return status;
    }
    return {};
  }

  // The oldest pending step, whose times these are.
  base::Status Deliver(const measure::StepTimes& times) {
    const Pending pending = std::move(pending_.front());
    pending_.pop_front();
    StepRecord record = pending.record;
    record.loss = static_cast<double>(*pending.loss.const_data_ptr<float>());
    if (!std::isfinite(record.loss)) {
      return base::MakeError(base::ErrorKind::kDiverged,
                             "the loss is not finite at step " + std::to_string(record.step) +
                                 " (learning rate " + base::FormatNumber(record.learning_rate) +
                                 "): try a lower learningRate, a warm-up or gradientClipNorm");
    }
    record.wall_seconds = times.wall;
    record.wait_seconds = times.wait;
    record.copy_seconds = times.copy;
    if (pending.is_replayed) {
      record.compute_seconds = times.forward + times.backward + times.update;
    } else {
      record.forward_seconds = times.forward;
      record.backward_seconds = times.backward;
      record.update_seconds = times.update;
    }
    observer_.OnStep(record);
    if (record.step == 0) observer_.OnMark(Mark::kFirstStep);
    if (pending.ends_epoch) observer_.OnEpochEnd(record.epoch);
    return {};
  }

  // Every file of an epoch's last batch was bad.
  void EndEpochWithoutStep(int64_t epoch) {
    if (pending_.empty()) {
      observer_.OnEpochEnd(epoch);
    } else {
      pending_.back().ends_epoch = true;
    }
  }

  base::Status EndEpoch(int64_t epoch) {
    outcome_.progress.epochs += 1;
    EndFirstPass();
    if (task_.identified_samples) {
      ledger_.EndEpoch(task_.batches.Totals().bad_files);
      outcome_.checks.every_sample_once = ledger_.every_sample_once();
      observer_.OnChecks(outcome_.checks);
    }
    if (!task_.validation || !EvaluatesAfter(task_.stop, outcome_.progress.epochs)) return {};
    return PauseToEvaluate(epoch);
  }

  void EndFirstPass() {
    if (!std::exchange(first_pass_ended_, true)) task_.on_first_pass(task_.batches);
  }

  base::Status PauseToEvaluate(int64_t epoch) {
    if (auto status = DeliverAllSteps(); !status) return status;
    observer_.OnPhase(Phase::kEvaluating);
    const std::unique_ptr<BatchSource> batches = task_.validation();
    auto evaluation = Evaluate(task_.network, *batches,
                               {.task = task_.step.loss.task,
                                .device = task_.step.device,
                                .precision = task_.step.precision},
                               task_.clock, stop_);
    validation_bad_ = batches->BadSamples();
    validation_input_ = batches->Totals();
    if (evaluation && !outcome_.evaluation) task_.on_first_pass(*batches);
    if (!evaluation) return tl::unexpected(evaluation.error());
    evaluation->epoch = epoch;
    if (!outcome_.evaluation) observer_.OnMark(Mark::kFirstEvaluation);
    observer_.OnEvaluation(*evaluation);
    outcome_.evaluation = *evaluation;
    if (auto status = CompareWithTarget(); !status) return status;
    BeginTraining();
    return {};
  }

  base::Status CompareWithTarget() {
    if (!task_.stop.accuracy) return {};
    const auto reached = ReachesTarget(*task_.stop.accuracy, *outcome_.evaluation);
    if (!reached) return tl::unexpected(reached.error());
    outcome_.target_reached = *reached;
    outcome_.progress.target_reached = *reached;
    if (*reached) observer_.OnMark(Mark::kTargetReached);
    return {};
  }

  base::Status EndTraining() {
    if (auto status = DeliverAllSteps(); !status) return status;
    EndFirstPass();
    observer_.OnPhase(Phase::kFinishing);
    outcome_.checks.samples_as_stop_rule =
        SamplesAsAsked(task_.stop, outcome_.progress, task_.samples, task_.batch_size,
                       task_.batches.Totals().bad_files);
    observer_.OnChecks(outcome_.checks);
    return {};
  }

  const Task& task_;
  Observer& observer_;
  const std::stop_token stop_;
  TrainOutcome& outcome_;
  step::TrainStep step_;
  SampleLedger ledger_;
  std::unique_ptr<measure::StepTimer> timer_;
  const step::StepMarks marks_;
  std::deque<Pending> pending_;
  int64_t ready_batches_ = 0;
  bool saw_batch_ = false;
  bool first_pass_ended_ = false;
  bool after_pause_ = true;
  std::vector<data::BadSample> validation_bad_;  // of the last validation pass
  data::PipelineTotals validation_input_;        // the same
};

// An interruption leaves the network and the autograd engine as an exception.
base::Status RunUntilInterrupted(Loop& loop) {
  try {
    return loop.Run();
  } catch (const model::Interrupted&) {
    return base::MakeError(base::ErrorKind::kInterrupted, "interrupted");
  }
}

}  // namespace

base::Status Train(const Task& task, Observer& observer, std::stop_token stop,
                   TrainOutcome& outcome) {
  observer.OnPlan(MakePlan(task.stop, task.samples, task.batch_size));
  task.network.StopWith(stop);
  task.network.train();
  Loop loop(task, observer, std::move(stop), outcome);
  const base::Status status = RunUntilInterrupted(loop);
  loop.TellInput();
  return status;
}

}  // namespace fairlap::train

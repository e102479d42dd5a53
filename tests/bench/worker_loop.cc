#include "worker_loop.h"

#include <chrono>
#include <iostream>
#include <limits>

#include "worker/measure/process.h"
#include "worker/report/recorder.h"
#include "worker/train/loop.h"

namespace fairlap::bench {
namespace {

// Bare steps of the network that the loop trains, without the means to stop them.
class BareSteps {
 public:
  BareSteps(const Work& work, model::Network& network)
      : network_(network), step_(network, work.step) {}

  void RunTurn(const step::DeviceBatch& batch, int64_t steps, const std::stop_token& loop_stop) {
    network_.StopWith({});
    RunBareTurn(step_, batch, steps);
    network_.StopWith(loop_stop);
  }

 private:
  model::Network& network_;
  step::TrainStep step_;
};

// Lends one batch again and again; between turns it waits for the harness.
class TurnSource : public train::BatchSource {
 public:
  TurnSource(step::DeviceBatch batch, BareSteps& bare, const report::Recorder& recorder)
      : batch_(std::move(batch)), bare_(bare), recorder_(recorder) {}

  base::Result<std::optional<data::Batch>> Next(std::stop_token stop) override {
    if (left_ == 0 && !TakeTurn(stop)) {
      return base::MakeError(base::ErrorKind::kInterrupted, "the input ended");
    }
    --left_;
    data::Batch batch;
    batch.size = batch_.images.size(0);
    return batch;
  }

  step::DeviceBatch ToDevice(const data::Batch&) override { return batch_; }

 private:
  bool TakeTurn(const std::stop_token& stop) {
    if (steps_ > 0) {
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
      SayDone(steps_, taken.count(), recorder_.Progress().now.loss.value_or(0));
    }
    auto turn = NextTurn();
    for (; turn && turn->is_bare; turn = NextTurn()) bare_.RunTurn(batch_, turn->steps, stop);
    if (!turn) return false;
    steps_ = left_ = turn->steps;
    begin_ = std::chrono::steady_clock::now();
    return true;
  }

  const step::DeviceBatch batch_;
  BareSteps& bare_;
  const report::Recorder& recorder_;
  int64_t steps_ = 0, left_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

api::RunConfig MakeConfig(const Work& work) {
  api::RunConfig config;
  config.problem.batch_size = work.batch;
  config.problem.dataset.format = api::DatasetFormat::kSynthetic;
  config.problem.stop.steps = 100'000'000;
  return config;
}

}  // namespace

int RunWorkerLoop(const Work& work) {
  const api::RunConfig config = MakeConfig(work);
  report::LiveMetrics metrics(config);
  report::Recorder recorder(config, base::SystemClock(), base::SystemClock().WallNow(),
                            measure::FetchedBytes, metrics);
  const auto network = MakePlacedNetwork(work);
  BareSteps bare(work, *network);
  TurnSource source(MakeBatch(work), bare, recorder);
  train::Task task{.network = *network, .batches = source};
  task.step = work.step;
  task.stop = config.problem.stop;
  task.schedule.learning_rate = kLearningRate;
  task.samples = std::numeric_limits<int32_t>::max();
  task.batch_size = work.batch;
  task.identified_samples = false;
  SayReady(work, *network);
  std::stop_source stop;
  train::TrainOutcome outcome;
  const base::Status status = train::Train(task, recorder, stop.get_token(), outcome);
  if (status || status.error().kind == base::ErrorKind::kInterrupted) return 0;
  std::cerr << "error: " << status.error().message << '\n';
  return 1;
}

}  // namespace fairlap::bench

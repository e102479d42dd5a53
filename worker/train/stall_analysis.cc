#include "worker/train/stall_analysis.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "worker/data/sample_order.h"
#include "worker/measure/stall_shares.h"
#include "worker/train/loop.h"
#include "worker/train/silent_observer.h"

namespace fairlap::train {
namespace {

using base::ErrorKind;

// A graph is captured after a few steps that run as they are.
constexpr int64_t kStepsBeforeGraph = 12;

class WallSeconds final : public SilentObserver {
 public:
  void OnStep(const StepRecord& record) override { seconds_.push_back(record.wall_seconds); }

  std::vector<double> After(int64_t discards) const {
    const auto count = std::min<int64_t>(discards, std::ssize(seconds_));
    return {seconds_.begin() + count, seconds_.end()};
  }

 private:
  std::vector<double> seconds_;
};

class Analysis {
 public:
  Analysis(const StallTask& task, std::stop_token stop)
      : task_(task),
        stop_(std::move(stop)),
        discards_(StallDiscards(task)),
        batches_(StallBatches(task)) {}

  base::Status Run() {
    if (auto status = TimeRandomData(/*on_host=*/false, phases_.t0); !status) return status;
    if (auto status = TimeRandomData(/*on_host=*/true, phases_.t1); !status) return status;
    if (auto status = task_.cache.Evict(Samples(), stop_); !status) return status;
    if (auto status = TimeFiles(phases_.t2); !status) return status;
    Invalidate("t2", task_.cache.WhyNotCold());
    if (auto status = TimeFiles(phases_.t3); !status) return status;
    Invalidate("t3", task_.cache.WhyNotWarm());
    return TimeRandomData(/*on_host=*/true, phases_.t1_again);
  }

  // Also after an error, as far as it came.
  api::StallAnalysis Result(const base::Status& status) {
    if (!status) phases_.invalid = status.error().message;
    return measure::AnalyseStalls(phases_);
  }

 private:
  std::vector<int64_t> Samples() const {
    const data::PipelineOptions& pipeline = task_.files.pipeline;
    data::SampleOrder order(task_.dataset.size(), pipeline.batch_size, pipeline.seed,
                            /*shuffle=*/true);
    std::vector<int64_t> samples;
    for (int64_t batch = 0; batch < batches_; ++batch) {
      const auto of_batch = order.Samples(batch);
      samples.insert(samples.end(), of_batch.begin(), of_batch.end());
    }
    return samples;
  }

  base::Status TimeRandomData(bool on_host, std::vector<double>& seconds) const {
    SyntheticSourceOptions options = task_.synthetic;
    options.on_host = on_host;
    options.samples = options.batch_size;
    options.epochs = 0;
    return Time(*MakeSyntheticSource(options), seconds);
  }

  base::Status TimeFiles(std::vector<double>& seconds) const {
    PipelineSourceOptions options = task_.files;
    options.pipeline.shuffle = true;
    options.pipeline.epochs = 1;
    return Time(*MakePipelineSource(task_.dataset, options), seconds);
  }

  base::Status Time(BatchSource& batches, std::vector<double>& seconds) const {
    Task task{.network = task_.network, .batches = batches};
    task.step = task_.step;
    task.stop.steps = batches_;
    task.samples = task_.dataset.size();
    task.batch_size = task_.files.pipeline.batch_size;
    task.identified_samples = false;
    WallSeconds observer;
    TrainOutcome outcome;
    const base::Status trained = Train(task, observer, stop_, outcome);
    if (trained) seconds = observer.After(discards_);
    return trained;
  }

  void Invalidate(const char* phase, const std::optional<std::string>& why) {
    if (why && !phases_.invalid) phases_.invalid = std::string(phase).append(": ").append(*why);
  }

  const StallTask& task_;
  const std::stop_token stop_;
  const int64_t discards_, batches_;
  measure::StallPhases phases_;
};

}  // namespace

int64_t StallDiscards(const StallTask& task) {
  const int64_t as_in_window = 2 * (task.files.pipeline.prefetch_batches + 1);
  return std::max(as_in_window, task.step.cuda_graphs ? kStepsBeforeGraph : int64_t{0});
}

int64_t StallBatches(const StallTask& task) {
  const int64_t batch_size = task.files.pipeline.batch_size;
  const int64_t full_batches = task.dataset.size() / batch_size;
  const int64_t mean_bytes =
      std::max<int64_t>(1, task.dataset.bytes() / std::max<int64_t>(1, task.dataset.size()));
  return std::min({StallDiscards(task) + measure::kStallSteps, full_batches,
                   task.most_bytes / (batch_size * mean_bytes)});
}

base::Result<api::StallAnalysis> RunStallAnalysis(const StallTask& task, std::stop_token stop) {
  Analysis analysis(task, std::move(stop));
  if (StallBatches(task) <= StallDiscards(task)) return analysis.Result({});
  const base::Status status = analysis.Run();
  if (!status && status.error().kind == ErrorKind::kInterrupted) {
    return tl::unexpected(status.error());
  }
  return analysis.Result(status);
}

}  // namespace fairlap::train

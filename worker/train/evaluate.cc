#include "worker/train/evaluate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairlap::train {
namespace {

// Sums over the samples seen, kept on the device so that it is read once.
class Score {
 public:
  void Add(const torch::Tensor& logits, const torch::Tensor& labels) {
    const int64_t k = std::min<int64_t>(5, logits.size(1));
    const torch::Tensor hits = std::get<1>(logits.topk(k, 1)).eq(labels.unsqueeze(1));
    const torch::Tensor loss = torch::nn::functional::cross_entropy(
        logits, labels, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
    const torch::Tensor sums =
        torch::stack({hits.select(1, 0).sum().to(torch::kFloat64), hits.sum().to(torch::kFloat64),
                      loss.to(torch::kFloat64)});
    sums_ = sums_.defined() ? sums_ + sums : sums;
    samples_ += labels.size(0);
  }

  int64_t samples() const { return samples_; }

  void Report(EvaluationRecord& record) const {
    const torch::Tensor means = (sums_ / samples_).cpu();
    record.samples = samples_;
    record.top1 = means[0].item<double>();
    record.top5 = means[1].item<double>();
    const double loss = means[2].item<double>();
    if (std::isfinite(loss)) record.loss = loss;
  }

 private:
  torch::Tensor sums_;
  int64_t samples_ = 0;
};

base::Result<Score> ScoreAll(model::Network& network, BatchSource& batches, std::stop_token stop) {
  Score score;
  while (true) {
    const auto batch = batches.Next(stop);
    if (!batch) return tl::unexpected(batch.error());
    if (!*batch) return score;
    if ((*batch)->size == 0) continue;
    const DeviceBatch on_device = batches.ToDevice(**batch);
    score.Add(network.Forward(on_device.images), on_device.labels);
  }
}

}  // namespace

base::Result<EvaluationRecord> Evaluate(model::Network& network, BatchSource& batches,
                                        const base::Clock& clock, std::stop_token stop) {
  const base::SteadyTime begin = clock.Now();
  const torch::NoGradGuard no_grad;
  network.eval();
  const base::Result<Score> score = ScoreAll(network, batches, std::move(stop));
  network.train();
  if (!score) return tl::unexpected(score.error());
  if (score->samples() == 0) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           "the validation split has no readable sample");
  }
  EvaluationRecord record;
  score->Report(record);
  record.seconds = base::Seconds(clock.Now() - begin).count();
  return record;
}

}  // namespace fairlap::train

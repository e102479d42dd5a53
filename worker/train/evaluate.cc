#include "worker/train/evaluate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairlap::train {
namespace {

namespace F = torch::nn::functional;

constexpr double kSmallestSquareError = 1e-10;  // 100 dB

// Each of the three is a sum over the samples of one batch.
struct ClassificationSums {
  enum Index { kTop1, kTop5, kLoss };
  static torch::Tensor Of(const torch::Tensor& logits, const torch::Tensor& labels) {
    const int64_t k = std::min<int64_t>(5, logits.size(1));
    const torch::Tensor hits = std::get<1>(logits.topk(k, 1)).eq(labels.unsqueeze(1));
    const torch::Tensor loss =
        F::cross_entropy(logits, labels, F::CrossEntropyFuncOptions().reduction(torch::kSum));
    return torch::stack({hits.select(1, 0).sum().to(torch::kFloat64),
                         hits.sum().to(torch::kFloat64), loss.to(torch::kFloat64)});
  }
};

torch::Tensor Psnr(const torch::Tensor& images, const torch::Tensor& clean) {
  const torch::Tensor error = (images - clean).square().to(torch::kFloat64).mean({1, 2, 3});
  return -10 * error.clamp_min(kSmallestSquareError).log10();
}

struct DenoisingSums {
  enum Index { kPsnr, kInputPsnr, kLoss };
  static torch::Tensor Of(const torch::Tensor& cleaned, const step::DeviceBatch& batch) {
    const torch::Tensor loss = (cleaned - batch.targets).abs().to(torch::kFloat64).mean({1, 2, 3});
    return torch::stack(
        {Psnr(cleaned, batch.targets).sum(), Psnr(batch.images, batch.targets).sum(), loss.sum()});
  }
};

// Sums over the samples seen, kept on the device so that they are read once.
struct Score {
  torch::Tensor sums;
  int64_t samples = 0;

  void Add(const torch::Tensor& more, int64_t count) {
    sums = sums.defined() ? sums + more : more;
    samples += count;
  }
};

base::Result<Score> ScoreAll(model::Network& network, BatchSource& batches,
                             const EvaluateOptions& options, const std::stop_token& stop) {
  Score score;
  while (true) {
    const auto batch = batches.Next(stop);
    if (!batch) return tl::unexpected(batch.error());
    if (!*batch) return score;
    if ((*batch)->size == 0) continue;
    const step::DeviceBatch on_device = batches.ToDevice(**batch);
    torch::Tensor output;
    {
      const step::AutocastScope autocast(options.precision, options.device);
      output = network.Forward(on_device.images).output.to(torch::kFloat32);
    }
    const bool classifies = options.task == models::Task::kClassification;
    score.Add(classifies ? ClassificationSums::Of(output, on_device.targets)
                         : DenoisingSums::Of(output, on_device),
              (*batch)->size);
  }
}

std::optional<double> IfFinite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

EvaluationRecord MakeRecord(const Score& score, models::Task task) {
  const torch::Tensor means = (score.sums / score.samples).cpu();
  const auto mean = [&](int64_t index) { return means[index].item<double>(); };
  EvaluationRecord record;
  record.samples = score.samples;
  if (task == models::Task::kClassification) {
    record.top1 = mean(ClassificationSums::kTop1);
    record.top5 = mean(ClassificationSums::kTop5);
    record.loss = IfFinite(mean(ClassificationSums::kLoss));
  } else {
    record.psnr_decibels = IfFinite(mean(DenoisingSums::kPsnr));
    record.input_psnr_decibels = IfFinite(mean(DenoisingSums::kInputPsnr));
    record.loss = IfFinite(mean(DenoisingSums::kLoss));
  }
  return record;
}

}  // namespace

base::Result<EvaluationRecord> Evaluate(model::Network& network, BatchSource& batches,
                                        const EvaluateOptions& options, const base::Clock& clock,
                                        std::stop_token stop) {
  const base::SteadyTime begin = clock.Now();
  const torch::NoGradGuard no_grad;
  network.eval();
  const base::Result<Score> score = ScoreAll(network, batches, options, stop);
  network.train();
  if (!score) return tl::unexpected(score.error());
  if (score->samples == 0) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           "the validation split has no readable sample");
  }
  EvaluationRecord record = MakeRecord(*score, options.task);
  record.seconds = base::Seconds(clock.Now() - begin).count();
  return record;
}

}  // namespace fairlap::train

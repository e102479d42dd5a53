// Ten training steps lose what PyTorch's Python front end loses from the same weights and batches:
// losses.json, written by make_losses.py, whose formulas stand here a second time.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "worker/model/network.h"
#include "worker/model/registry.h"
#include "worker/train/loop.h"

namespace fairlap::train {
namespace {

constexpr uint64_t kFirstImageStream = 1'000'000;
constexpr uint64_t kFirstLabelStream = 2'000'000;

uint64_t SplitMix(uint64_t stream, int64_t index) {
  uint64_t z = (stream << 32) + static_cast<uint64_t>(index);
  z = (z + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

torch::Tensor Uniform(uint64_t stream, torch::IntArrayRef shape) {
  const torch::Tensor values = torch::empty(shape, torch::kFloat32);
  float* out = values.data_ptr<float>();
  for (int64_t i = 0; i < values.numel(); ++i) {
    out[i] = static_cast<float>(SplitMix(stream, i) >> 40) / 8388608.0F - 1.0F;
  }
  return values;
}

void Initialise(model::Network& network, const std::string& last_norm) {
  const torch::NoGradGuard no_grad;
  uint64_t stream = 0;
  for (const auto& item : network.named_parameters()) {
    torch::Tensor parameter = item.value();
    const torch::Tensor noise = Uniform(stream++, parameter.sizes());
    if (parameter.dim() > 1) {
      const auto fan_in = static_cast<double>(parameter.numel() / parameter.size(0));
      const double square = (parameter.dim() == 2 ? 1.0 : 6.0) / fan_in;
      parameter.copy_(noise * static_cast<float>(std::sqrt(square)));
    } else if (item.key().ends_with("weight")) {
      const bool is_last = item.key().find(last_norm) != std::string::npos;
      parameter.copy_(noise * 0.125 + (is_last ? 0.125 : 1.0));
    } else {
      parameter.copy_(noise * 0.125);
    }
  }
}

class FormulaBatches : public BatchSource {
 public:
  FormulaBatches(int64_t batch, int64_t edge, int64_t classes)
      : batch_(batch), edge_(edge), classes_(classes) {}

  base::Result<std::optional<data::Batch>> Next(std::stop_token) override {
    data::Batch batch;
    batch.size = batch_;
    return batch;
  }

  DeviceBatch ToDevice(const data::Batch&) override {
    const uint64_t step = step_++;
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < batch_; ++i) {
      labels.push_back(static_cast<int64_t>(SplitMix(kFirstLabelStream + step, i) %
                                            static_cast<uint64_t>(classes_)));
    }
    return {.images = Uniform(kFirstImageStream + step, {batch_, 3, edge_, edge_}) *
                      static_cast<float>(std::sqrt(3.0)),
            .labels = torch::tensor(labels, torch::kInt64)};
  }

 private:
  int64_t batch_, edge_, classes_;
  uint64_t step_ = 0;
};

class Losses : public Observer {
 public:
  void OnStep(const StepRecord& record) override { values.push_back(record.loss); }
  void OnPhase(Phase) override {}
  void OnMark(Mark) override {}
  void OnEpochEnd(int64_t) override {}
  void OnEvaluation(const EvaluationRecord&) override {}
  void OnInput(const data::PipelineTotals&) override {}
  void OnData(const report::DataFacts&) override {}
  void OnModel(const report::ModelFacts&) override {}
  void OnPlan(const TrainPlan&) override {}
  void OnChecks(const report::Checks&) override {}

  std::vector<double> values;
};

void ExpectPythonsLosses(api::Model model) {
  at::set_num_threads(2);
  std::ifstream file(FAIRLAP_SOURCE_DIR "/tests/golden/reference/losses.json");
  const auto expected = nlohmann::json::parse(file)["networks"][std::string(base::EnumName(model))];
  const auto network = model::FindNetwork(model)->make(expected["classes"]);
  Initialise(*network, expected["last_norm"]);
  FormulaBatches batches(expected["batch"], expected["size"], expected["classes"]);

  Task task{.network = *network, .batches = batches};
  task.optimizer.learning_rate = {expected["learning_rate"].dump()};
  task.optimizer.momentum = {"0.9"};
  task.optimizer.weight_decay = {"1e-4"};
  task.stop.steps = std::ssize(expected["losses"]);
  task.samples = 1'000'000;
  task.batch_size = expected["batch"];
  task.identified_samples = false;
  Losses losses;
  TrainOutcome outcome;
  const base::Status status = Train(task, losses, {}, outcome);
  ASSERT_TRUE(status) << status.error().message;

  ASSERT_EQ(losses.values.size(), expected["losses"].size());
  for (size_t step = 0; step < losses.values.size(); ++step) {
    const double python = expected["losses"][step];
    EXPECT_NEAR(losses.values[step], python, 1e-4 * python) << "step " << step;
  }
}

TEST(TenSteps, OfResNet20LoseWhatPythonLoses) { ExpectPythonsLosses(api::Model::kResNet20V1); }

TEST(TenSteps, OfResNet50LoseWhatPythonLoses) { ExpectPythonsLosses(api::Model::kResNet50); }

}  // namespace
}  // namespace fairlap::train

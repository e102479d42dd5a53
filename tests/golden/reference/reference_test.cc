// Ten training steps lose what PyTorch's Python front end loses from the same weights and batches:
// losses.json, written by make_losses.py, whose formulas stand here a second time.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/codec.h"
#include "worker/model/network.h"
#include "worker/model/registry.h"
#include "worker/train/loop.h"
#include "worker/train/settings.h"
#include "worker/train/silent_observer.h"

namespace fairlap::train {
namespace {

// FNV-1a, 32 bits.
uint64_t Stream(const std::string& name) {
  uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return hash;
}

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
  for (const auto& item : network.named_parameters()) {
    torch::Tensor parameter = item.value();
    const torch::Tensor noise = Uniform(Stream(item.key()), parameter.sizes());
    if (parameter.dim() > 1) {
      const auto fan_in = static_cast<double>(parameter.numel() / parameter.size(0));
      const double square = (parameter.dim() == 2 ? 1.0 : 6.0) / fan_in;
      parameter.copy_(noise * static_cast<float>(std::sqrt(square)));
    } else if (item.key().ends_with("weight")) {
      const bool is_last = !last_norm.empty() && item.key().find(last_norm) != std::string::npos;
      parameter.copy_(noise * 0.125 + (is_last ? 0.125 : 1.0));
    } else {
      parameter.copy_(noise * 0.125);
    }
  }
}

class FormulaBatches : public BatchSource {
 public:
  FormulaBatches(const models::NetworkFacts& facts, int64_t batch, int64_t edge, int64_t classes)
      : facts_(facts), batch_(batch), edge_(edge), classes_(classes) {}

  base::Result<std::optional<data::Batch>> Next(std::stop_token) override {
    data::Batch batch;
    batch.size = batch_;
    return batch;
  }

  step::DeviceBatch ToDevice(const data::Batch&) override {
    const std::string step = std::to_string(step_++);
    const bool denoises = facts_.task == models::Task::kDenoising;
    return {.images = Images("images/" + step),
            .targets = denoises ? Images("targets/" + step) : Labels("labels/" + step)};
  }

 private:
  torch::Tensor Images(const std::string& name) const {
    return Uniform(Stream(name), {batch_, facts_.channels, edge_, edge_}) *
           static_cast<float>(std::sqrt(3.0));
  }
  torch::Tensor Labels(const std::string& name) const {
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < batch_; ++i) {
      labels.push_back(
          static_cast<int64_t>(SplitMix(Stream(name), i) % static_cast<uint64_t>(classes_)));
    }
    return torch::tensor(labels, torch::kInt64);
  }

  const models::NetworkFacts& facts_;
  int64_t batch_, edge_, classes_;
  int64_t step_ = 0;
};

class Losses : public SilentObserver {
 public:
  void OnStep(const StepRecord& record) override { values.push_back(record.loss); }

  std::vector<double> values;
};

using Json = nlohmann::json;

const std::vector<Json>& Cases() {
  static const std::vector<Json> kCases = [] {
    std::ifstream file(FAIRLAP_SOURCE_DIR "/tests/golden/reference/losses.json");
    return Json::parse(file)["cases"].get<std::vector<Json>>();
  }();
  return kCases;
}

void Configure(const Json& expected, Task& task) {
  api::OptimizerSpec optimizer;
  base::Problems problems;
  base::Decode(base::Json::parse(expected["optimizer"].dump()), "optimizer", optimizer, problems);
  ASSERT_TRUE(problems.empty()) << problems.front().path << problems.front().message;
  task.step.optimizer = MakeOptimizerOptions(optimizer);
  task.step.loss.label_smoothing = optimizer.label_smoothing.Value();
  task.schedule = MakeSchedule(optimizer, {.total_steps = 10, .steps_per_epoch = 10});
}

class TenSteps : public testing::TestWithParam<Json> {};

TEST_P(TenSteps, LoseWhatPythonLoses) {
  const Json& expected = GetParam();
  at::set_num_threads(2);
  const models::NetworkFacts& facts = *models::FindFacts(expected["network"].get<std::string>());
  const auto network = model::MakeNetwork(facts.name, expected["classes"]);
  model::DisableDropout(*network);
  Initialise(*network, expected["last_norm"]);
  FormulaBatches batches(facts, expected["batch"], expected["size"], expected["classes"]);

  Task task{.network = *network, .batches = batches};
  task.step.loss.task = facts.task;
  Configure(expected, task);
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

INSTANTIATE_TEST_SUITE_P(Reference, TenSteps, testing::ValuesIn(Cases()),
                         [](const auto& parameter) {
                           std::string name = parameter.param["name"];
                           std::erase(name, '-');
                           return name;
                         });

// Every network of the table, whatever is added to it.
TEST(ReferenceLosses, AreThereForEveryNetwork) {
  for (const models::NetworkFacts& facts : models::AllNetworks()) {
    EXPECT_TRUE(std::ranges::any_of(Cases(), [&](const Json& found) {
      return found["network"] == facts.name;
    })) << facts.name;
  }
}

}  // namespace
}  // namespace fairlap::train

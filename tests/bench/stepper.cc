#include "stepper.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "worker/model/registry.h"

namespace fairlap::bench {
namespace {

[[noreturn]] void Refuse(const char* why, const std::string& what) {
  std::cerr << "error: " << why << what << '\n';
  std::exit(2);
}

using Flags = std::map<std::string, std::string>;

// "--name value", and "--cuda-graphs" alone.
Flags ReadFlags(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--cuda-graphs") {
      flags.emplace(name, "yes");
    } else if (name.starts_with("--") && i + 1 < argc) {
      flags.emplace(name, argv[++i]);
    } else {
      Refuse("not a flag with a value: ", name);
    }
  }
  return flags;
}

std::string Take(Flags& flags, const std::string& name, const std::string& otherwise) {
  const auto at = flags.find(name);
  if (at == flags.end()) return otherwise;
  std::string value = at->second;
  flags.erase(at);
  return value;
}

models::NetworkFacts FactsOrExit(const std::string& name) {
  const models::NetworkFacts* facts = models::FindFacts(name);
  if (facts == nullptr) Refuse("--model: there is no ", name);
  return *facts;
}

void SetStep(Work& work, const std::string& device, bool cuda_graphs) {
  const auto precision = step::ParsePrecision(work.precision);
  if (!precision) Refuse("--precision: there is no ", work.precision);
  work.step.precision = *precision;
  work.step.device = device == "gpu" ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  work.step.cuda_graphs = cuda_graphs;
  work.step.loss.task = work.network.task;
  work.step.optimizer.momentum = 0.9;
  work.step.optimizer.weight_decay = 1e-4;
  if (const std::string why = step::WhyRefused(work.step); !why.empty()) Refuse("", why);
}

// The most memory that this process ever held, as the kernel counts it.
int64_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stoll(line.substr(6));
  }
  return 0;
}

}  // namespace

Work ParseOrExit(int argc, char** argv) {
  Flags flags = ReadFlags(argc, argv);
  Work work;
  work.network = FactsOrExit(Take(flags, "--model", "resnet20v1"));
  work.batch = std::stoll(Take(flags, "--batch", "64"));
  work.size = std::stoll(Take(flags, "--size", std::to_string(work.network.image_size)));
  work.classes = std::stoll(Take(flags, "--classes", std::to_string(work.network.classes)));
  work.threads = std::stoll(Take(flags, "--threads", "2"));
  work.channels_last = Take(flags, "--layout", "contiguous") == "channelsLast";
  work.precision = Take(flags, "--precision", "fp32");
  work.loop = Take(flags, "--loop", "step");
  const std::string device = Take(flags, "--device", "cpu");
  SetStep(work, device, !Take(flags, "--cuda-graphs", "").empty());
  if (!flags.empty()) Refuse("there is no flag ", flags.begin()->first);
  return work;
}

std::shared_ptr<model::Network> MakePlacedNetwork(const Work& work) {
  step::SetNumerics(work.step.precision, work.threads);
  torch::manual_seed(1);
  auto network = model::MakeNetwork(work.network.name, work.classes);
  step::PlaceNetwork(
      *network, work.step.device,
      work.channels_last ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous);
  return network;
}

step::DeviceBatch MakeBatch(const Work& work) {
  const auto floats = torch::device(work.step.device);
  const int64_t n = work.batch, s = work.size;
  torch::Tensor images = torch::randn({n, work.network.channels, s, s}, floats);
  if (work.network.task == models::Task::kDenoising) {
    return {.images = images, .targets = torch::randn_like(images)};
  }
  if (work.channels_last) images = images.contiguous(torch::MemoryFormat::ChannelsLast);
  return {.images = images,
          .targets = torch::randint(work.classes, {n}, floats.dtype(torch::kInt64))};
}

void SayReady(const Work& work, const model::Network& network) {
  int64_t parameters = 0;
  for (const torch::Tensor& parameter : network.parameters()) parameters += parameter.numel();
  std::printf("{\"ready\": true, \"parameters\": %lld, \"device\": \"%s\"}\n",
              static_cast<long long>(parameters), work.step.device.is_cuda() ? "gpu" : "cpu");
  std::fflush(stdout);
}

std::optional<Turn> NextTurn() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return Turn{.steps = std::atoll(line.c_str()), .is_bare = line.ends_with(" bare")};
}

void SayDone(int64_t steps, double seconds, double loss) {
  std::printf("{\"steps\": %lld, \"seconds\": %.9f, \"peakBytes\": %lld, \"loss\": %.6g}\n",
              static_cast<long long>(steps), seconds, static_cast<long long>(PeakBytes()), loss);
  std::fflush(stdout);
}

void RunBareTurn(step::TrainStep& step, const step::DeviceBatch& batch, int64_t steps) {
  const auto begin = std::chrono::steady_clock::now();
  torch::Tensor loss;
  for (int64_t i = 0; i < steps; ++i) {
    torch::Tensor next = step.Run(batch, kLearningRate).to(torch::kCPU, /*non_blocking=*/true);
    if (batch.images.is_cpu()) next.item<double>();
    loss = std::move(next);
  }
  if (batch.images.is_cuda()) torch::cuda::synchronize();
  const double last = loss.item<double>();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  SayDone(steps, taken.count(), last);
}

}  // namespace fairlap::bench

// The worker: trains one repeat of a BenchmarkRun with libtorch.
#include <ATen/Version.h>
#include <torch/version.h>

#include <utility>

#include "lib/base/stop_signals.h"
#include "worker/program/run_worker.h"
#include "worker/train/run.h"
#if FAIRLAP_CUDA
#include <cuda_runtime_api.h>
#endif

namespace fairlap {
namespace {

std::string CudaVersion() {
#if FAIRLAP_CUDA
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) return measure::kUnknown;
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
#else
  return "none";
#endif
}

measure::FrameworkFacts ObserveFramework() {
  measure::FrameworkFacts facts;
  facts.name = std::string("libtorch ") + TORCH_VERSION;
  facts.cpu_capability = at::get_cpu_capability();
  facts.cuda_version = CudaVersion();
  return facts;
}

base::Result<std::optional<bool>> Train(const api::RunConfig& config,
                                        const std::filesystem::path& data, int64_t compute_threads,
                                        train::Observer& observer, std::stop_token stop) {
  train::TrainOutcome outcome;
  const base::Status trained =
      train::RunTraining(config, {data, compute_threads}, observer, std::move(stop), outcome);
  if (!trained) return tl::unexpected(trained.error());
  return outcome.target_reached;
}

}  // namespace
}  // namespace fairlap

int main(int argc, char** argv) {
  fairlap::base::BlockStopSignals();
  fairlap::program::RunWorker(argc, argv, {fairlap::Train, fairlap::ObserveFramework()});
}

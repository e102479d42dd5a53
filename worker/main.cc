// The worker: trains one repeat of a BenchmarkRun with libtorch.
#include <ATen/Version.h>
#include <torch/version.h>

#include <utility>

#include "lib/base/stop_signals.h"
#include "worker/program/run_worker.h"
#include "worker/step/memory.h"
#include "worker/train/run.h"
#if FAIRLAP_CUDA
#include <ATen/detail/CUDAHooksInterface.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
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

// cuDNN's own number: 91002 is 9.10.2, and before version 9 it was 8907 for 8.9.7.
std::string CudnnVersion() {
#if FAIRLAP_CUDA
  const auto& hooks = at::detail::getCUDAHooks();
  if (!hooks.hasCuDNN()) return "none";
  const int64_t version = hooks.versionRuntimeCuDNN();
  const int64_t unit = version >= 10'000 ? 10'000 : 1000;
  return std::to_string(version / unit) + "." + std::to_string(version % unit / 100) + "." +
         std::to_string(version % 100);
#else
  return "none";
#endif
}

// Asked of the NCCL that libtorch has brought along, which nothing here links.
std::string NcclVersion() {
#if FAIRLAP_CUDA
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(RTLD_DEFAULT, "ncclGetVersion"));
  int version = 0;
  if (ask == nullptr || ask(&version) != 0) return measure::kUnknown;
  return std::to_string(version / 10'000) + "." + std::to_string(version % 10'000 / 100) + "." +
         std::to_string(version % 100);
#else
  return "none";
#endif
}

measure::FrameworkFacts ObserveFramework() {
  measure::FrameworkFacts facts;
  facts.name = std::string("libtorch ") + TORCH_VERSION;
  facts.allocator = step::AllocatorName();
  facts.cpu_capability = at::get_cpu_capability();
  facts.cuda_version = CudaVersion();
  facts.cudnn_version = CudnnVersion();
  facts.nccl_version = NcclVersion();
  return facts;
}

base::Result<std::optional<bool>> Train(const api::RunConfig& config,
                                        const program::Folders& folders, int64_t compute_threads,
                                        train::Observer& observer, std::stop_token stop) {
  train::TrainOutcome outcome;
  const base::Status trained = train::RunTraining(
      config, {folders.data, folders.scratch, compute_threads}, observer, std::move(stop), outcome);
  if (!trained) return tl::unexpected(trained.error());
  return outcome.target_reached;
}

}  // namespace
}  // namespace fairlap

int main(int argc, char** argv) {
  fairlap::step::AskForHugePages();
  fairlap::base::BlockStopSignals();
  fairlap::program::RunWorker(argc, argv, {fairlap::Train, fairlap::ObserveFramework()});
}

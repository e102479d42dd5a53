#include "worker/measure/nvml.h"

#include <dlfcn.h>

#include <array>
#include <memory>
#include <optional>

namespace fairlap::measure {
namespace {

// NVML's documented ABI, as far as it is used here.
using Device = struct NvmlDevice*;
using Return = int;
using Unsigned = unsigned int;
struct Memory {
  unsigned long long total, free, used;
};
constexpr Return kSuccess = 0;
constexpr int kSmClock = 1, kMemoryClock = 2;
constexpr Unsigned kMigEnabled = 1;
constexpr size_t kMaxText = 256;
constexpr size_t kMaxGpus = 64;

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

// The loaded library, begun; a function that it lacks is as one that fails.
class Nvml {
 public:
  explicit Nvml(const std::string& library)
      : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    begun_ = library_ && Call("nvmlInit_v2");
  }
  ~Nvml() {
    if (begun_) Call("nvmlShutdown");
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool begun() const { return begun_; }

  template <class... Arguments>
  bool Call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Return (*)(Arguments...)>(dlsym(library_.get(), name));
    return function != nullptr && function(arguments...) == kSuccess;
  }

  // Of a function that fills a text; the arguments before it are given.
  template <class... Arguments>
  std::string Text(const char* name, Arguments... arguments) const {
    std::array<char, kMaxText> text{};
    const bool told = Call(name, arguments..., text.data(), static_cast<Unsigned>(text.size() - 1));
    return told ? text.data() : "";
  }

  template <class... Arguments>
  std::optional<Unsigned> Number(const char* name, Arguments... arguments) const {
    Unsigned number = 0;
    return Call(name, arguments..., &number) ? std::optional(number) : std::nullopt;
  }

 private:
  std::unique_ptr<void, CloseLibrary> library_;
  bool begun_ = false;
};

std::optional<double> AsDouble(const std::optional<Unsigned>& number, double unit = 1) {
  return number ? std::optional(*number * unit) : std::nullopt;
}

std::string ComputeMode(const std::optional<Unsigned>& mode) {
  constexpr std::array kModes = {"default", "exclusiveThread", "prohibited", "exclusiveProcess"};
  return mode && *mode < kModes.size() ? kModes[*mode] : "";
}

std::optional<double> MemoryBytes(const Nvml& nvml, Device device) {
  Memory memory{};
  if (!nvml.Call("nvmlDeviceGetMemoryInfo", device, &memory)) return std::nullopt;
  return static_cast<double>(memory.total);
}

report::GpuFacts WholeGpu(const Nvml& nvml, Device device) {
  report::GpuFacts gpu;
  gpu.product = nvml.Text("nvmlDeviceGetName", device);
  gpu.uuid = nvml.Text("nvmlDeviceGetUUID", device);
  gpu.driver = nvml.Text("nvmlSystemGetDriverVersion");
  gpu.mig_profile = "none";
  gpu.compute_mode = ComputeMode(nvml.Number("nvmlDeviceGetComputeMode", device));
  constexpr double kWattsPerMilliwatt = 1e-3;
  gpu.power_limit_watts =
      AsDouble(nvml.Number("nvmlDeviceGetPowerManagementLimit", device), kWattsPerMilliwatt);
  gpu.memory_bytes = MemoryBytes(nvml, device);
  const auto clock = [&](const char* function, int type) {
    return AsDouble(nvml.Number(function, device, type));
  };
  gpu.sm_clock_megahertz = clock("nvmlDeviceGetClockInfo", kSmClock);
  gpu.max_sm_clock_megahertz = clock("nvmlDeviceGetMaxClockInfo", kSmClock);
  gpu.memory_clock_megahertz = clock("nvmlDeviceGetClockInfo", kMemoryClock);
  gpu.max_memory_clock_megahertz = clock("nvmlDeviceGetMaxClockInfo", kMemoryClock);
  return gpu;
}

bool IsSliced(const Nvml& nvml, Device device) {
  Unsigned current = 0, pending = 0;
  return nvml.Call("nvmlDeviceGetMigMode", device, &current, &pending) && current == kMigEnabled;
}

// Clocks, power and driver are the whole GPU's.
void AddSlices(const Nvml& nvml, Device device, const report::GpuFacts& whole,
               std::vector<report::GpuFacts>& gpus) {
  const Unsigned most = nvml.Number("nvmlDeviceGetMaxMigDeviceCount", device).value_or(0);
  for (Unsigned i = 0; i < most && gpus.size() < kMaxGpus; ++i) {
    Device slice = nullptr;
    if (!nvml.Call("nvmlDeviceGetMigDeviceHandleByIndex", device, i, &slice)) continue;
    report::GpuFacts gpu = whole;
    gpu.uuid = nvml.Text("nvmlDeviceGetUUID", slice);
    gpu.mig_profile = MigProfileOf(nvml.Text("nvmlDeviceGetName", slice));
    gpu.memory_bytes = MemoryBytes(nvml, slice);
    gpus.push_back(std::move(gpu));
  }
}

}  // namespace

std::vector<report::GpuFacts> ObserveGpus(const std::string& library) {
  std::vector<report::GpuFacts> gpus;
  const Nvml nvml(library);
  if (!nvml.begun()) return gpus;
  const Unsigned count = nvml.Number("nvmlDeviceGetCount_v2").value_or(0);
  for (Unsigned i = 0; i < count && gpus.size() < kMaxGpus; ++i) {
    Device device = nullptr;
    if (!nvml.Call("nvmlDeviceGetHandleByIndex_v2", i, &device)) continue;
    report::GpuFacts whole = WholeGpu(nvml, device);
    if (IsSliced(nvml, device)) {
      AddSlices(nvml, device, whole, gpus);
    } else {
      gpus.push_back(std::move(whole));
    }
  }
  return gpus;
}

std::string MigProfileOf(std::string_view device_name) {
  constexpr std::string_view kMark = " MIG ";
  const size_t mark = device_name.rfind(kMark);
  return mark == device_name.npos ? "" : std::string(device_name.substr(mark + kMark.size()));
}

}  // namespace fairlap::measure

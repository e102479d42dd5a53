// The GPUs that NVIDIA's driver shows to this process, asked through its management library (NVML),
// which is loaded at run time: a machine without it has no GPU to tell of, and no build needs it.
#ifndef FAIRLAP_WORKER_MEASURE_NVML_H_
#define FAIRLAP_WORKER_MEASURE_NVML_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/report/report.h"

namespace fairlap::measure {

inline constexpr char kNvmlLibrary[] = "libnvidia-ml.so.1";

// Every GPU, or each MIG slice in the place of a GPU that is sliced, in the driver's order. Facts
// that the driver does not tell are left out. Empty where `library` cannot be loaded or finds none.
std::vector<report::GpuFacts> ObserveGpus(const std::string& library = kNvmlLibrary);

// "1g.5gb" of the name of a MIG slice, "NVIDIA A100-SXM4-40GB MIG 1g.5gb"; "" if it names none.
std::string MigProfileOf(std::string_view device_name);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_NVML_H_

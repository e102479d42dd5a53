// This process: when it started, what it may use, what it used.
#ifndef FAIRLAP_WORKER_MEASURE_PROCESS_H_
#define FAIRLAP_WORKER_MEASURE_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "lib/base/clock.h"

namespace fairlap::measure {

// From /proc/self/stat, to 10 ms; `clock`'s now where that cannot be read.
base::WallTime ProcessStartTime(const base::Clock& clock);

// CPUs that the scheduler may put this process on.
int64_t AffinityCpus();

// How many threads may compute at once: `affinity_cpus`, or fewer under a quota; at least 1. A
// quota is rounded down, so that no thread of a step is held back until the next period.
int64_t ComputeThreads(int64_t affinity_cpus, std::optional<double> cpu_quota);

// Bytes that this process caused to be fetched from a device (/proc/self/io, read_bytes).
std::optional<int64_t> FetchedBytes();
// The same of one of its threads, since the thread started.
std::optional<int64_t> FetchedByThread(int64_t thread);
// Bytes that the NFS server sent for the mount at this point (/proc/self/mountstats).
std::optional<int64_t> ServerReadBytes(std::string_view mount_point);

// CPU time of all threads of this process so far, in seconds.
double ProcessCpuSeconds();

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_PROCESS_H_

// The worker's own log: JSON lines on standard error.
#ifndef FAIRLAP_WORKER_PROGRAM_LOG_H_
#define FAIRLAP_WORKER_PROGRAM_LOG_H_

namespace fairlap::program {

// Makes spdlog's default logger write {"time":..,"level":..,"message":..} lines to standard error,
// each at once. Call before any thread starts.
void LogJsonLines();

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_LOG_H_

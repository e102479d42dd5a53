// The worker's own log: JSON lines on standard error.
#ifndef FAIRLAP_LIB_LOG_JSON_LINES_H_
#define FAIRLAP_LIB_LOG_JSON_LINES_H_

namespace fairlap::log {

// Makes spdlog's default logger write {"time":..,"level":..,"message":..} lines to standard error,
// each at once. Call before any thread starts.
void LogJsonLines();

}  // namespace fairlap::log

#endif  // FAIRLAP_LIB_LOG_JSON_LINES_H_

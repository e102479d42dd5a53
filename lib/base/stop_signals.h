// SIGINT and SIGTERM as something that a thread waits for, instead of a handler.
#ifndef FAIRLAP_LIB_BASE_STOP_SIGNALS_H_
#define FAIRLAP_LIB_BASE_STOP_SIGNALS_H_

namespace fairlap::base {

// Blocks both signals for this thread and all that it starts, and ignores SIGPIPE. Call first in
// main, before any thread.
void BlockStopSignals();

// Returns when one of them has come. BlockStopSignals must have been called.
void WaitForStopSignal();

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_STOP_SIGNALS_H_

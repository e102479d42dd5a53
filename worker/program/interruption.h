// Ctrl-C at any moment, indexing, building, mid-step, evaluating or writing, ends the worker within
// two seconds with what was measured so far.
#ifndef FAIRLAP_WORKER_PROGRAM_INTERRUPTION_H_
#define FAIRLAP_WORKER_PROGRAM_INTERRUPTION_H_

#include <chrono>
#include <functional>
#include <stop_token>

namespace fairlap::program {

// From the first signal on. The training is asked to stop and gets the grace; if it has not come
// back by then, what was measured is written without it. At the deadline the process ends, whatever
// hangs.
inline constexpr std::chrono::milliseconds kGrace{600};
inline constexpr std::chrono::milliseconds kDeadline{1200};

// From now on this process gets SIGTERM when its parent ends (strictly: the parent's thread that
// started it).
void ExitWithParent();

// Starts the thread that waits for SIGINT or SIGTERM (lib/base/stop_signals.h); it lives as long as
// the process. The token is stopped by the first signal. After the grace `finish` is called in that
// thread: it ends the process, or returns if somebody else is ending it already.
std::stop_token WatchSignals(std::function<void()> finish);

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_INTERRUPTION_H_

// The worker's training loop as a stepper.
#ifndef FAIRLAP_TESTS_BENCH_WORKER_LOOP_H_
#define FAIRLAP_TESTS_BENCH_WORKER_LOOP_H_

#include "stepper.h"

namespace fairlap::bench {

// With recorder, live metrics, stage timers and the means to stop a step, as in a run.
int RunWorkerLoop(const Work& work);

}  // namespace fairlap::bench

#endif  // FAIRLAP_TESTS_BENCH_WORKER_LOOP_H_

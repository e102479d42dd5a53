// How a worker ends, for whoever started it.
#ifndef FAIRLAP_WORKER_PROGRAM_EXIT_CODES_H_
#define FAIRLAP_WORKER_PROGRAM_EXIT_CODES_H_

namespace fairlap::program {

enum ExitCode : int {
  kSucceeded = 0,  // trained as asked, and the report is written
  kFailed = 1,     // the training failed, or its report could not be written
  kUsage = 2,      // the command line or the RunConfig is wrong, or the port is taken: nothing ran
  kInterrupted = 130,  // stopped by SIGINT or SIGTERM; the report says so and holds what was done
};

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_EXIT_CODES_H_

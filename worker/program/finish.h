// The end of a repeat: its report and its termination message, written exactly once, by whichever
// thread comes first.
#ifndef FAIRLAP_WORKER_PROGRAM_FINISH_H_
#define FAIRLAP_WORKER_PROGRAM_FINISH_H_

#include <atomic>
#include <filesystem>
#include <functional>

#include "lib/report/report.h"
#include "worker/measure/environment.h"
#include "worker/report/recorder.h"

namespace fairlap::program {

struct FinishPaths {
  std::filesystem::path report;
  std::filesystem::path termination_message;  // "": none
  bool log_report = false;                    // to standard output, too
  // Ends what else is kept of the repeat; an error is that of a report that is not written.
  std::function<base::Status(api::Outcome)> end_logs = {};
};

class Finisher {
 public:
  // `recorder` must outlive this. `environment` and `before` are of the start of the repeat.
  Finisher(const report::Recorder& recorder, FinishPaths paths, report::Environment environment,
           measure::Disturbance before);

  // True for the first caller alone, who then has to call Finish.
  bool Claim();

  // Writes the documents and returns the exit code. The termination message comes first: it is
  // small and local, and holds the figures even where the results folder hangs. Where the report
  // cannot be written, this is logged, the termination message says ResultsNotWritten, and the code
  // is kFailed at least. The same goes for the logs.
  int Finish(report::Ending ending) const;

 private:
  report::RankReport MakeReport(const report::Ending& ending) const;

  const report::Recorder& recorder_;
  const FinishPaths paths_;
  const report::Environment environment_;
  const measure::Disturbance before_;
  std::atomic<bool> claimed_ = false;
};

// Whether a report can be written into its folder, found out by making both and a file. A volume
// that is full lets that pass.
base::Status ProbeResults(const std::filesystem::path& report);

// The termination message of a worker that never came to train.
void WriteFailure(const std::filesystem::path& termination_message, const report::Ending& ending);

// The reason of a repeat whose results cannot be written.
inline constexpr char kResultsNotWritten[] = "ResultsNotWritten";

// "InvalidInput" for kInvalidInput, and so on: the reason of a failed repeat.
std::string ReasonOf(base::ErrorKind kind);

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_FINISH_H_

// Carries out the planner's actions as files and processes of this machine: a ConfigMap becomes a
// config file, a Job a worker process. The cluster's executor creates the very same objects.
#ifndef FAIRLAP_CLI_LOCAL_EXECUTOR_H_
#define FAIRLAP_CLI_LOCAL_EXECUTOR_H_

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/out_folder.h"
#include "cli/process.h"
#include "cli/worker_args.h"
#include "lib/base/clock.h"
#include "operator/plan/plan.h"

namespace fairlap::cli {

struct ExecutorOptions {
  std::filesystem::path worker;
  std::optional<std::filesystem::path> data;
  bool mllog = false;  // every worker leaves kMlLog beside its report
};

// One thread. Destroying it kills every worker that still runs.
class LocalExecutor {
 public:
  // `out` and `clock` must outlive it.
  LocalExecutor(ExecutorOptions options, const OutFolder& out, const base::Clock& clock);

  base::Status Apply(const plan::Action& action);
  // Looks at the processes: takes note of ends, and kills what did not stop in time.
  void Update();
  // Fills in jobs, config maps and nothing else.
  void Observe(plan::Observed& observed) const;

  // Asks every worker to stop (SIGTERM). One that has not ended 1.3 s later is killed by Update.
  void Interrupt();

  // Of the worker that runs, if one does: a file descriptor that is readable once it ends, and the
  // file in which it says where it listens.
  struct Running {
    std::string job;
    int fd;
    std::filesystem::path address_file;
    std::optional<base::SteadyTime> kill_at;  // when Update is to be called at the latest
  };
  std::optional<Running> running() const;

 private:
  struct Job {
    plan::ObservedJob observed;
    LocalPaths paths;
    std::optional<Process> process;
    std::optional<base::SteadyTime> kill_at;
    bool deleted = false;  // to be forgotten once it has ended
  };

  base::Status CreateConfigMap(const base::Json& object);
  base::Status CreateJob(const base::Json& object);
  void DeleteJob(const std::string& name);
  void Stop(Job& job);
  void Explain(const ProcessEnd& end, plan::ObservedJob& seen) const;
  void Finish(Job& job, const ProcessEnd& end);
  LocalPaths PathsOf(const std::string& job) const;

  ExecutorOptions options_;
  const OutFolder& out_;
  const base::Clock& clock_;
  std::map<std::string, Job> jobs_;
  std::set<std::string> config_maps_;
};

// The last lines of what a worker said, at most `max_lines`, without control characters.
std::vector<std::string> LastLogLines(const std::filesystem::path& log_file, size_t max_lines);

inline constexpr char kWorkerLog[] = "worker.log";
inline constexpr char kMlLog[] = "mllog.txt";

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_LOCAL_EXECUTOR_H_

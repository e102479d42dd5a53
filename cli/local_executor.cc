#include "cli/local_executor.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "lib/base/text.h"
#include "lib/report/files.h"

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Json;

// A little more than a worker takes at most (1.2 s); with what follows (reaping, the report, the
// table) a Ctrl-C is over within 2 s on a busy machine, too.
constexpr std::chrono::milliseconds kStopPatience{1300};
constexpr int64_t kMaxTerminationBytes = 64 * 1024;
constexpr size_t kLogTailBytes = 16 * 1024;

std::string TextAt(const Json& json, const char* pointer) {
  const Json::json_pointer path(pointer);
  return json.contains(path) && json[path].is_string() ? json[path].get<std::string>() : "";
}

std::string HostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

// The end of a file that may be large; "" if it cannot be read.
std::string ReadTail(const fs::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return "";
  std::string tail(kLogTailBytes, '\0');
  if (std::fseek(file, -static_cast<long>(kLogTailBytes), SEEK_END) != 0) std::rewind(file);
  tail.resize(std::fread(tail.data(), 1, tail.size(), file));
  std::fclose(file);
  return tail;
}

// The worker logs JSON lines; libraries below it, and the loader, say what they like.
std::string WithoutJson(std::string line) {
  if (!line.starts_with('{')) return line;
  const auto json = base::ParseJson(line, "");
  if (!json) return line;
  std::string message = TextAt(*json, "/message");
  return message.empty() ? line : message;
}

}  // namespace

std::vector<std::string> LastLogLines(const fs::path& log_file, size_t max_lines) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : ReadTail(log_file) + "\n") {
    if (c != '\n') {
      line += c;
    } else if (!line.empty()) {
      lines.push_back(base::Printable(WithoutJson(std::exchange(line, ""))));
    }
  }
  if (lines.size() > max_lines)
    lines.erase(lines.begin(), lines.end() - static_cast<long>(max_lines));
  return lines;
}

LocalExecutor::LocalExecutor(ExecutorOptions options, const OutFolder& out,
                             const base::Clock& clock)
    : options_(std::move(options)), out_(out), clock_(clock) {}

base::Status LocalExecutor::Apply(const plan::Action& action) {
  if (const auto* deletion = std::get_if<plan::DeleteObject>(&action)) {
    DeleteJob(deletion->name);
    return {};
  }
  const Json& object = std::get<plan::CreateObject>(action).object;
  const std::string kind = TextAt(object, "/kind");
  if (kind == "ConfigMap") return CreateConfigMap(object);
  if (kind == "Job") return CreateJob(object);
  return base::MakeError(ErrorKind::kUnavailable, kind + ": only a cluster can create it");
}

LocalPaths LocalExecutor::PathsOf(const std::string& job) const {
  const fs::path folder = out_.PrivateFolder(job);
  LocalPaths paths;
  paths.config = folder / "run.yaml";
  paths.results = out_.repeats();
  paths.termination_message = folder / "termination-log";
  paths.scratch = folder / "scratch";
  paths.address = folder / "address";
  paths.data = options_.data;
  if (options_.mllog) paths.mllog = out_.RepeatFolder(job) / kMlLog;
  return paths;
}

base::Status LocalExecutor::CreateConfigMap(const Json& object) {
  const std::string name = TextAt(object, "/metadata/name");
  auto written = base::WriteFileAtomically(PathsOf(name).config, TextAt(object, "/data/run.yaml"));
  if (written) config_maps_.insert(name);
  return written;
}

base::Status LocalExecutor::CreateJob(const Json& object) {
  const std::string name = TextAt(object, "/metadata/name");
  Job job;
  job.paths = PathsOf(name);
  job.observed.name = name;
  job.observed.uid = name;
  job.observed.nodes = {HostName()};
  job.observed.created = clock_.WallNow();
  auto args = MakeWorkerArgs(object, job.paths);
  if (!args) return tl::unexpected(args.error());
  std::error_code error;
  fs::create_directories(job.paths.scratch, error);
  if (!error) fs::create_directories(out_.RepeatFolder(name), error);
  if (error) {
    return base::MakeError(
        ErrorKind::kIo, out_.RepeatFolder(name).string() + ": cannot create: " + error.message());
  }
  auto process = Process::Start({options_.worker, *args, out_.RepeatFolder(name) / kWorkerLog});
  if (!process) return tl::unexpected(process.error());
  job.process.emplace(std::move(*process));
  job.observed.container_started = clock_.WallNow();
  job.observed.phase = plan::JobPhase::kRunning;
  jobs_.emplace(name, std::move(job));
  return {};
}

void LocalExecutor::DeleteJob(const std::string& name) {
  const auto found = jobs_.find(name);
  if (found == jobs_.end()) return;
  found->second.deleted = true;
  Stop(found->second);
}

void LocalExecutor::Stop(Job& job) {
  if (!job.process || job.kill_at) return;
  job.process->Signal(SIGTERM);
  job.kill_at = clock_.Now() + kStopPatience;
}

void LocalExecutor::Interrupt() {
  for (auto& [name, job] : jobs_) {
    if (!job.process) continue;
    job.observed.interrupted = true;
    Stop(job);
  }
}

void LocalExecutor::Update() {
  for (auto& [name, job] : jobs_) {
    if (!job.process) continue;
    if (job.kill_at && clock_.Now() >= *job.kill_at) job.process->Signal(SIGKILL);
    if (const auto end = job.process->Poll()) Finish(job, *end);
  }
  std::erase_if(jobs_,
                [](const auto& entry) { return entry.second.deleted && !entry.second.process; });
}

// Of a worker that we stopped, a signal tells nothing but how far it was.
void LocalExecutor::Explain(const ProcessEnd& end, plan::ObservedJob& seen) const {
  seen.reason = end.signal ? "WorkerKilled" : "WorkerFailed";
  seen.message = "the worker " + Describe(end);
  if (seen.interrupted && end.signal == SIGTERM) {
    seen.message = "stopped while the worker was starting, before anything was measured";
  } else if (seen.interrupted && end.signal == SIGKILL) {
    seen.message = "stopped; the worker did not end in time and was killed";
  }
  const auto last = LastLogLines(out_.RepeatFolder(seen.name) / kWorkerLog, 1);
  if (end.exit_code && !last.empty()) seen.message += ": " + last[0];
}

void LocalExecutor::Finish(Job& job, const ProcessEnd& end) {
  plan::ObservedJob& seen = job.observed;
  job.process.reset();
  seen.finished = clock_.WallNow();
  seen.phase = end.ok() ? plan::JobPhase::kSucceeded : plan::JobPhase::kFailed;
  if (!end.ok()) Explain(end, seen);
  auto message = base::ReadFile(job.paths.termination_message, kMaxTerminationBytes);
  if (message) seen.termination_message = std::move(*message);
  std::error_code ignored;
  const fs::path report = out_.RepeatFolder(seen.name) / report::kReportFile;
  if (fs::exists(report, ignored)) {
    seen.report = report.lexically_relative(out_.root()).string();
  }
  if (end.ok() && seen.termination_message.empty() && !seen.report) {
    seen.phase = plan::JobPhase::kFailed;
    seen.reason = "WorkerLeftNothing";
    seen.message = "the worker ended well, but left neither a report nor a termination message";
  }
  fs::remove_all(job.paths.scratch, ignored);
}

void LocalExecutor::Observe(plan::Observed& observed) const {
  observed.jobs.clear();
  for (const auto& [name, job] : jobs_) observed.jobs.push_back(job.observed);
  observed.config_maps = config_maps_;
}

std::optional<LocalExecutor::Running> LocalExecutor::running() const {
  for (const auto& [name, job] : jobs_) {
    if (job.process) {
      return Running{name, job.process->fd(), job.paths.address, job.kill_at};
    }
  }
  return std::nullopt;
}

}  // namespace fairlap::cli

#include "cli/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "lib/base/file.h"

extern char** environ;

namespace fairlap::cli {
namespace {

using base::ErrorKind;

// posix_spawn's two option objects, destroyed on every way out.
class SpawnOptions {
 public:
  SpawnOptions() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  void Redirect(const char* log_file) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_file,
                                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }

  void UseOwnGroupAndUsualSignals() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

std::vector<char*> ArgumentVector(const std::string& program,
                                  const std::vector<std::string>& args) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  return argv;
}

// glibc 2.36 declares pidfd_open without C linkage.
int OpenPidFd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)); }

ProcessEnd EndOf(const siginfo_t& info) {
  ProcessEnd end;
  (info.si_code == CLD_EXITED ? end.exit_code : end.signal) = info.si_status;
  return end;
}

}  // namespace

std::string Describe(const ProcessEnd& end) {
  if (end.exit_code) return "exited with code " + std::to_string(*end.exit_code);
  const char* name = sigabbrev_np(*end.signal);
  std::string text = "was killed by signal " + std::to_string(*end.signal);
  if (name != nullptr) text += std::string(" (SIG") + name + ")";
  if (end.signal == SIGKILL) text += "; the kernel does so when memory runs out";
  return text;
}

base::Result<Process> Process::Start(const ProcessOptions& options) {
  SpawnOptions spawn;
  spawn.Redirect(options.log_file.c_str());
  spawn.UseOwnGroupAndUsualSignals();
  const std::string program = options.program.string();
  std::vector<char*> argv = ArgumentVector(program, options.args);
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, program.c_str(), &spawn.actions, &spawn.attributes, argv.data(), environ);
  if (error != 0) {
    return base::MakeError(ErrorKind::kIo, program + ": cannot start with log file " +
                                               options.log_file.string() + ": " +
                                               base::SystemMessage(error));
  }
  // The child is not reaped yet, so its number cannot have been given to another process.
  Process process(pid, OpenPidFd(pid));
  if (process.fd_ >= 0) return process;
  return base::MakeError(ErrorKind::kIo,
                         program + ": cannot be watched: " + base::SystemMessage(errno));
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      fd_(std::exchange(other.fd_, -1)),
      end_(std::move(other.end_)) {}

Process::~Process() {
  if (pid_ > 0 && !end_) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (fd_ >= 0) ::close(fd_);
}

void Process::Signal(int signal) {
  if (!end_) ::kill(-pid_, signal);
}

std::optional<ProcessEnd> Process::Poll() {
  if (end_) return end_;
  siginfo_t info{};
  const auto id = static_cast<id_t>(pid_);
  if (::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return {};
  ::kill(-pid_, SIGKILL);  // before reaping, while the group's number is still ours
  ::waitid(P_PID, id, &info, WEXITED);
  end_ = EndOf(info);
  return end_;
}

}  // namespace fairlap::cli

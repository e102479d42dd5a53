#include "worker/program/interruption.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "lib/base/stop_signals.h"
#include "worker/program/exit_codes.h"

namespace fairlap::program {
namespace {

void ExitNow(int) { _exit(kInterrupted); }

// The kernel's timer needs no thread of ours, so that nothing we wait for can hold it up.
void ArmDeadline() {
  struct sigaction action {};
  action.sa_handler = ExitNow;
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer{};
  timer.it_value.tv_sec = kDeadline.count() / 1000;
  timer.it_value.tv_usec = kDeadline.count() % 1000 * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

void ExitWithParent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) kill(getpid(), SIGTERM);  // it ended in between
}

std::stop_token WatchSignals(std::function<void()> finish) {
  std::stop_source stop;
  std::stop_token token = stop.get_token();
  std::thread([stop = std::move(stop), finish = std::move(finish)]() mutable {
    base::WaitForStopSignal();
    ArmDeadline();
    stop.request_stop();
    std::this_thread::sleep_for(kGrace);
    finish();
  }).detach();
  return token;
}

}  // namespace fairlap::program

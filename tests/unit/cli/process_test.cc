#include "cli/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

#include "lib/base/file.h"
#include "temporary_folder.h"

namespace fairlap::cli {
namespace {

using testing::HasSubstr;

class ProcessTest : public TemporaryFolder {
 protected:
  base::Result<Process> Shell(const std::string& script) {
    return Process::Start({"/bin/sh", {"-c", script}, folder_ / "log"});
  }
  static ProcessEnd WaitFor(Process& process) {
    pollfd event{process.fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&event, 1, 60'000), 1);
    return process.Poll().value_or(ProcessEnd{});
  }
  std::string Log() { return base::ReadFile(folder_ / "log", 1 << 20).value_or(""); }
};

TEST_F(ProcessTest, TellsTheExitCodeAndKeepsWhatWasSaid) {
  auto process = Shell("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(process) << process.error().message;
  const ProcessEnd end = WaitFor(*process);
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_FALSE(end.ok());
  EXPECT_EQ(Describe(end), "exited with code 3");
  EXPECT_EQ(Log(), "out\nerr\n");
}

TEST_F(ProcessTest, NamesTheSignalThatKilledIt) {
  auto process = Shell("kill -KILL $$");
  ASSERT_TRUE(process);
  EXPECT_EQ(Describe(WaitFor(*process)),
            "was killed by signal 9 (SIGKILL); the kernel does so when memory runs out");
}

TEST_F(ProcessTest, RunsInAGroupOfItsOwnWithUsualSignals) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  auto process = Shell("kill -TERM 0; echo still here");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(process);
  EXPECT_EQ(WaitFor(*process).signal, SIGTERM);
}

TEST_F(ProcessTest, IsKilledWithItsChildrenWhenItsOwnerGoes) {
  pid_t pid = 0;
  {
    auto process = Shell("sleep 1000 & wait");
    ASSERT_TRUE(process);
    pid = process->pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_F(ProcessTest, SaysWhichProgramCannotBeStarted) {
  const auto process = Process::Start({"/no/such/program", {}, folder_ / "log"});
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error().message, HasSubstr("/no/such/program: cannot start"));
}

}  // namespace
}  // namespace fairlap::cli

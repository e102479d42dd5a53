#include "worker/program/io_deadline.h"

#include <gtest/gtest.h>

#include <future>

namespace fairlap::program {
namespace {

using std::chrono::seconds;

const base::SteadyTime kNow = base::SteadyTime() + std::chrono::hours(1);

TEST(DescribeOverdue, SaysWhatHangsForHowLongAndWhichSettingEndedIt) {
  const storage::IoWait wait{"read", "/data/a.jpg", kNow - seconds(60)};
  EXPECT_EQ(DescribeOverdue(wait, kNow, seconds(60)),
            "read /data/a.jpg: no answer from the file system for 60 s "
            "(software.input.ioTimeoutSeconds)");
}

TEST(DescribeOverdue, LetsAWaitBelowTheLimitGoOn) {
  const storage::IoWait wait{"read", "/data/a.jpg", kNow - seconds(59)};
  EXPECT_EQ(DescribeOverdue(wait, kNow, seconds(60)), std::nullopt);
  EXPECT_EQ(DescribeOverdue(std::nullopt, kNow, seconds(60)), std::nullopt);
}

TEST(IoDeadline, TellsWhoeverIsToBeToldAtThatTime) {
  std::promise<std::string> told;
  // Never destroyed, as in the worker: its thread watches for as long as the process lives.
  auto* const deadline =
      new IoDeadline(seconds(0), [](const std::string&) { FAIL() << "replaced before"; });
  deadline->Tell([&told, once = false](const std::string& message) mutable {
    if (!std::exchange(once, true)) told.set_value(message);
  });
  const storage::IoScope scope("list", "/data");
  EXPECT_EQ(told.get_future().get().substr(0, 11), "list /data:");
  deadline->Tell([](const std::string&) {});
}

}  // namespace
}  // namespace fairlap::program

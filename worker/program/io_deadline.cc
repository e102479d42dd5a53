#include "worker/program/io_deadline.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace fairlap::program {

std::optional<std::string> DescribeOverdue(const std::optional<storage::IoWait>& wait,
                                           base::SteadyTime now, std::chrono::seconds timeout) {
  if (!wait || now - wait->since < timeout) return std::nullopt;
  return wait->action + " " + wait->path + ": no answer from the file system for " +
         std::to_string(timeout.count()) + " s (software.input.ioTimeoutSeconds)";
}

IoDeadline::IoDeadline(std::chrono::seconds timeout, OnOverdue on_overdue)
    : on_overdue_(std::move(on_overdue)) {
  std::thread([this, timeout] { Watch(timeout); }).detach();  // as long as the process lives
}

void IoDeadline::Tell(OnOverdue on_overdue) {
  const std::lock_guard lock(mutex_);
  on_overdue_ = std::move(on_overdue);
}

void IoDeadline::Watch(std::chrono::seconds timeout) {
  // Looks often enough to be late by a tenth, and no oftener than ten times a second.
  const auto period =
      std::max<std::chrono::milliseconds>(timeout / 10, std::chrono::milliseconds(100));
  while (true) {
    std::this_thread::sleep_for(period);
    const auto message =
        DescribeOverdue(storage::LongestIoWait(), base::SystemClock().Now(), timeout);
    if (!message) continue;
    const std::lock_guard lock(mutex_);
    on_overdue_(*message);
  }
}

}  // namespace fairlap::program

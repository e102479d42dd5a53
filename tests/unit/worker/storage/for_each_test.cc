#include "worker/storage/for_each.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <string>

namespace fairlap::storage {
namespace {

void Nothing() {}

TEST(ForEach, DoesEveryItemOnce) {
  std::array<std::atomic<int>, 1000> done{};
  const auto status = ForEach(done.size(), 4,
                              [&](size_t item, size_t) -> base::Status {
                                ++done[item];
                                return {};
                              },
                              Nothing, {});
  EXPECT_TRUE(status.has_value());
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(ForEach, HasNoMoreThreadsThanItemsAndCopesWithNone) {
  std::atomic<size_t> highest = 0;
  const auto note = [&](size_t, size_t thread) -> base::Status {
    if (thread > highest) highest = thread;
    return {};
  };
  EXPECT_TRUE(ForEach(0, 4, note, Nothing, {}).has_value());
  EXPECT_TRUE(ForEach(2, 4, note, Nothing, {}).has_value());
  EXPECT_LT(highest, 2U);
}

TEST(ForEach, WorksOnSeveralItemsAtOnce) {
  std::barrier both(2);  // with one thread this would never end
  const auto status = ForEach(2, 2,
                              [&](size_t, size_t) -> base::Status {
                                both.arrive_and_wait();
                                return {};
                              },
                              Nothing, {});
  EXPECT_TRUE(status.has_value());
}

TEST(ForEach, EndsWithTheFirstError) {
  std::atomic<int> done = 0;
  const auto status =
      ForEach(1000, 1,
              [&](size_t item, size_t) -> base::Status {
                ++done;
                if (item < 3) return {};
                return base::MakeError(base::ErrorKind::kIo, "item " + std::to_string(item));
              },
              Nothing, {});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message, "item 3");
  EXPECT_EQ(done, 4);
}

TEST(ForEach, IsInterruptedByAStopBetweenItems) {
  std::stop_source stop;
  std::atomic<int> done = 0;
  const auto status = ForEach(
      1000, 1,
      [&](size_t item, size_t) -> base::Status {
        ++done;
        if (item == 4) stop.request_stop();
        return {};
      },
      Nothing, stop.get_token());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, base::ErrorKind::kInterrupted);
  EXPECT_EQ(done, 5);
}

TEST(ForEach, IsCompleteWhenTheStopComesAfterTheLastItem) {
  std::stop_source stop;
  const auto status = ForEach(
      5, 1,
      [&](size_t item, size_t) -> base::Status {
        if (item == 4) stop.request_stop();
        return {};
      },
      Nothing, stop.get_token());
  EXPECT_TRUE(status.has_value());
}

TEST(ForEach, CallsTheCallerWhileItWorks) {
  std::atomic<bool> called = false;
  const auto status = ForEach(
      1, 1,
      [&](size_t, size_t) -> base::Status {
        called.wait(false);
        return {};
      },
      [&] {
        called = true;
        called.notify_all();
      },
      {});
  EXPECT_TRUE(status.has_value());
}

}  // namespace
}  // namespace fairlap::storage

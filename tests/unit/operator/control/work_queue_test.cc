#include "operator/control/work_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace fairlap::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class FakeClock final : public base::Clock {
 public:
  base::SteadyTime Now() const override { return now; }
  base::WallTime WallNow() const override { return {}; }
  base::SteadyTime now{};
};

TEST(WorkQueue, GivesAKeyOnceHoweverOftenItWasAdded) {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.Add("a");
  queue.Add("a");
  EXPECT_EQ(queue.depth(), 1U);
  EXPECT_EQ(queue.TryTake(), "a");
  EXPECT_EQ(queue.TryTake(), std::nullopt);
}

TEST(WorkQueue, NeverGivesAKeyToTwoAtOnceButComesBackToIt) {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.Add("a");
  EXPECT_EQ(queue.TryTake(), "a");
  queue.Add("a");
  EXPECT_EQ(queue.TryTake(), std::nullopt);
  queue.Done("a");
  EXPECT_EQ(queue.TryTake(), "a");
  queue.Done("a");
  EXPECT_EQ(queue.TryTake(), std::nullopt);
}

TEST(WorkQueue, KeepsTheEarliestOfSeveralTimes) {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.AddAt("a", clock.now + seconds(9));
  queue.AddAt("a", clock.now + seconds(5));
  queue.AddAt("a", clock.now + seconds(7));
  clock.now += seconds(4);
  EXPECT_EQ(queue.TryTake(), std::nullopt);
  EXPECT_EQ(queue.depth(), 0U);
  clock.now += seconds(1);
  EXPECT_EQ(queue.TryTake(), "a");
}

TEST(WorkQueue, GivesWhatIsDueFirst) {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.AddAt("late", clock.now + seconds(2));
  queue.AddAt("early", clock.now + seconds(1));
  clock.now += seconds(3);
  EXPECT_EQ(queue.TryTake(), "early");
  EXPECT_EQ(queue.TryTake(), "late");
}

TEST(WorkQueue, WaitsLongerAfterEachFailureUntilOneIsForgotten) {
  FakeClock clock;
  WorkQueue queue(clock);
  const auto waits_for = [&](milliseconds delay) {
    queue.Retry("a");
    clock.now += delay - milliseconds(1);
    EXPECT_EQ(queue.TryTake(), std::nullopt) << delay.count();
    clock.now += milliseconds(1);
    EXPECT_EQ(queue.TryTake(), "a") << delay.count();
    queue.Done("a");
  };
  for (const int delay : {500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000}) {
    waits_for(milliseconds(delay));
  }
  for (int i = 0; i < 100; ++i) {
    queue.Retry("a");
    clock.now += seconds(60);
    ASSERT_EQ(queue.TryTake(), "a") << i;
    queue.Done("a");
  }
  queue.Forget("a");
  waits_for(milliseconds(500));
}

TEST(WorkQueue, WakesWhoeverWaits) {
  WorkQueue queue(base::SystemClock());
  std::optional<std::string> taken;
  std::jthread worker([&](const std::stop_token& stop) { taken = queue.Take(stop); });
  queue.AddAt("later", base::SystemClock().Now() + seconds(600));
  queue.Add("now");
  worker.join();
  EXPECT_EQ(taken, "now");
}

TEST(WorkQueue, StopsWaitingWhenAsked) {
  WorkQueue queue(base::SystemClock());
  queue.AddAt("later", base::SystemClock().Now() + seconds(600));
  std::optional<std::string> taken = "unset";
  std::jthread worker([&](const std::stop_token& stop) { taken = queue.Take(stop); });
  worker.request_stop();
  worker.join();
  EXPECT_EQ(taken, std::nullopt);
}

}  // namespace
}  // namespace fairlap::control

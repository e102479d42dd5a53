#include "operator/control/worker_probe.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <future>

namespace fairlap::control {
namespace {

using base::ErrorKind;

// Waits for news in the test's thread.
class News {
 public:
  void Tell(const std::string& run_key) {
    {
      const std::lock_guard lock(mutex_);
      told_.push_back(run_key);
    }
    changed_.notify_all();
  }
  std::string Next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !told_.empty(); });
    std::string run_key = told_.front();
    told_.pop_front();
    return run_key;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> told_;
};

api::Progress AtStep(int64_t step) {
  api::Progress progress;
  progress.step = step;
  return progress;
}

TEST(WorkerProbe, TellsProgressSilenceAndRecovery) {
  News news;
  std::atomic<int> asked = 0;
  WorkerProbe probe(
      std::chrono::milliseconds(1),
      [&](const std::string&, std::stop_token) -> base::Result<api::Progress> {
        const int n = ++asked;
        if (n == 1) return AtStep(1);
        if (n == 2) return base::MakeError(ErrorKind::kIo, "no answer within 400 ms");
        return AtStep(2);
      },
      [&](const std::string& key) { news.Tell(key); });
  probe.Follow("bench/demo", "http://10.0.0.1:9400/v1/progress");
  EXPECT_EQ(news.Next(), "bench/demo");
  EXPECT_EQ(news.Next(), "bench/demo");
  EXPECT_EQ(news.Next(), "bench/demo");
  const ProbeResult last = probe.Latest("bench/demo");
  ASSERT_TRUE(last.progress.has_value());
  EXPECT_EQ(last.progress->step, 2);
  EXPECT_EQ(last.problem, "");
}

TEST(WorkerProbe, KeepsTheLastAnswerOfASilentWorker) {
  News news;
  std::atomic<int> asked = 0;
  WorkerProbe probe(
      std::chrono::milliseconds(1),
      [&](const std::string&, std::stop_token) -> base::Result<api::Progress> {
        if (++asked == 1) return AtStep(5);
        return base::MakeError(ErrorKind::kIo, "no answer");
      },
      [&](const std::string& key) { news.Tell(key); });
  probe.Follow("bench/demo", "http://10.0.0.1:9400/v1/progress");
  news.Next();
  news.Next();
  EXPECT_EQ(probe.Latest("bench/demo").progress->step, 5);
  EXPECT_EQ(probe.Latest("bench/demo").problem, "no answer");
  probe.Follow("bench/demo", "http://10.0.0.2:9400/v1/progress");
  EXPECT_FALSE(probe.Latest("bench/demo").progress.has_value()) << "that was another worker";
  probe.Follow("bench/demo", std::nullopt);
  EXPECT_EQ(probe.Latest("bench/demo").problem, "");
}

TEST(WorkerProbe, StopsInTheMiddleOfAQuestion) {
  std::promise<void> asked;
  auto probe = std::make_unique<WorkerProbe>(
      std::chrono::milliseconds(1),
      [&](const std::string&, std::stop_token stop) -> base::Result<api::Progress> {
        asked.set_value();
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait(lock, stop, [] { return false; });
        return base::MakeError(ErrorKind::kInterrupted, "stopped");
      },
      [](const std::string&) {});
  probe->Follow("bench/demo", "http://10.0.0.1:9400/v1/progress");
  asked.get_future().wait();
  probe.reset();
}

}  // namespace
}  // namespace fairlap::control

// What one input thread of the pipeline has done. Internal to it.
#ifndef FAIRLAP_WORKER_DATA_PIPELINE_COUNTERS_H_
#define FAIRLAP_WORKER_DATA_PIPELINE_COUNTERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "worker/data/dataset.h"
#include "worker/data/pipeline.h"

namespace fairlap::data {

inline constexpr size_t kCacheLine = 64;

// Written by one input thread, read by any.
struct alignas(kCacheLine) Counters {
  static constexpr int64_t kStillReading = -1, kUntold = -2;

  std::atomic<int64_t> read{0}, decode{0}, transform{0}, samples{0}, bytes{0};
  std::atomic<int64_t> first_pass_bytes{0}, first_pass_page_bytes{0};
  std::atomic<int64_t> thread{0};                          // 0: not started yet
  std::atomic<int64_t> first_pass_fetched{kStillReading};  // once the thread is done with it

  void Add(const LoadCost& cost, bool in_first_pass) {
    const auto add = [](std::atomic<int64_t>& counter, int64_t amount) {
      counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    };
    add(read, cost.read.count());
    add(decode, cost.decode.count());
    add(transform, cost.transform.count());
    add(samples, 1);
    add(bytes, cost.bytes);
    if (!in_first_pass) return;
    add(first_pass_bytes, cost.bytes);
    add(first_pass_page_bytes, cost.page_bytes);
  }

  void EndFirstPass(const ThreadByteCounter& count) {
    if (!count || first_pass_fetched.load(std::memory_order_relaxed) != kStillReading) return;
    first_pass_fetched.store(count(thread.load(std::memory_order_relaxed)).value_or(kUntold),
                             std::memory_order_release);
  }

  // kUntold if nobody tells.
  int64_t FetchedInFirstPass(const ThreadByteCounter& count) const {
    const int64_t id = thread.load(std::memory_order_acquire);
    if (id == 0) return 0;
    // Asked first: by the time that it is known not to count, what does may be known.
    const int64_t now = count(id).value_or(kUntold);
    const int64_t whole = first_pass_fetched.load(std::memory_order_acquire);
    return whole == kStillReading ? now : whole;
  }
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PIPELINE_COUNTERS_H_

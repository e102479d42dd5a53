#include "worker/data/pipeline.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "worker/data/pipeline_counters.h"
#include "worker/data/sample_order.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

constexpr size_t kMostBadSamplesKept = 100;

struct Free {
  void operator()(float* memory) const { std::free(memory); }
};
using AlignedFloats = std::unique_ptr<float[], Free>;

// Untouched memory: pages appear when a sample is first written.
AlignedFloats AllocateFloats(int64_t count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  const size_t rounded = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  auto* memory = static_cast<float*>(std::aligned_alloc(kCacheLine, rounded));
  if (memory == nullptr) throw std::bad_alloc();
  return AlignedFloats(memory);
}

// One pre-allocated batch. Position p belongs to the thread that took task p until that thread has
// counted itself out of `left`; whoever counts it to 0 owns the slot until it is marked ready.
struct Slot {
  AlignedFloats pixels;
  std::vector<int64_t> indices, labels;
  std::vector<base::Error> errors;  // no message: loaded
  int64_t size = 0;
  std::atomic<int64_t> left{0};
  bool ready = false;  // under the pipeline's mutex
};

bool IsOfReading(const base::Error& error) {
  return error.kind == base::ErrorKind::kNotFound || error.kind == base::ErrorKind::kIo;
}

double SecondsOf(const std::atomic<int64_t>& nanoseconds) {
  return 1e-9 * static_cast<double>(nanoseconds.load(std::memory_order_relaxed));
}

}  // namespace

// Task t is position t % batch_size of batch t / batch_size; positions beyond a smaller batch are
// void. Batch b lives in slot b % slots, once batch b - slots has been given back.
class Pipeline::Impl {
 public:
  Impl(const Dataset& dataset, const PipelineOptions& options);
  ~Impl();

  base::Result<std::optional<Batch>> Next(std::stop_token stop);
  PipelineTotals Totals() const;
  int64_t ready_batches() const { return ready_.load(std::memory_order_relaxed); }
  std::vector<BadSample> BadSamples() const;
  FirstPass ReadInFirstPass() const;

 private:
  void Work(const std::stop_token& stop, Counters& counters);
  void LoadTasks(const std::stop_token& stop, Counters& counters);
  void Fail(base::Error error);
  bool WaitUntilOpen(int64_t batch, const std::stop_token& stop);
  void Prepare(int64_t batch);
  void LoadInto(Slot& slot, int64_t batch, int64_t position, Scratch& scratch, Counters& counters);
  void Complete(Slot& slot);
  base::Status CountBadSamples(const Slot& slot);
  void Compact(Slot& slot) const;
  Batch Lend(Slot& slot, int64_t batch) const;
  Slot& SlotOf(int64_t batch) { return slots_[static_cast<size_t>(batch) % slots_.size()]; }

  const Dataset& dataset_;
  const PipelineOptions options_;
  const int64_t sample_floats_;
  SampleOrder order_;          // under order_mutex_
  const int64_t batch_limit_;  // batches in all epochs
  std::vector<Slot> slots_;
  std::vector<Counters> counters_;

  std::atomic<int64_t> next_task_{0};
  std::mutex order_mutex_;
  std::atomic<int64_t> prepared_{0};  // batches whose slots hold their indices

  mutable std::mutex mutex_;  // of the slots' `ready`, failure_, bad_ and what follows it
  std::condition_variable_any changed_;  // a batch is ready, or one was opened
  std::atomic<int64_t> open_;            // batches that may be worked on
  std::atomic<int64_t> ready_{0};
  std::optional<base::Error> failure_;  // why an input thread gave up
  int64_t next_batch_ = 0;              // the consumer's
  std::set<int64_t> bad_;
  int64_t unreadable_ = 0;  // of bad_
  std::vector<BadSample> bad_samples_;

  std::vector<std::jthread> threads_;  // last: they use all of the above
};

Pipeline::Impl::Impl(const Dataset& dataset, const PipelineOptions& options)
    : dataset_(dataset),
      options_(options),
      sample_floats_(PlanesOf(dataset.kind()) * dataset.image_size() * dataset.image_size()),
      order_(std::max<int64_t>(dataset.size(), 1), options.batch_size, options.seed,
             options.shuffle),
      batch_limit_(dataset.size() == 0   ? 0
                   : options.epochs == 0 ? std::numeric_limits<int64_t>::max() / options.batch_size
                                         : options.epochs * order_.batches_per_epoch()),
      slots_(static_cast<size_t>(options.prefetch_batches) + 1),
      counters_(static_cast<size_t>(options.threads)),
      open_(options.prefetch_batches) {
  const auto batch_size = static_cast<size_t>(options.batch_size);
  for (Slot& slot : slots_) {
    slot.pixels = AllocateFloats(options.batch_size * sample_floats_);
    slot.indices.resize(batch_size);
    slot.labels.resize(batch_size);
    slot.errors.resize(batch_size);
  }
  for (Counters& counters : counters_) {
    threads_.emplace_back([this, &counters](const std::stop_token& stop) { Work(stop, counters); });
  }
}

Pipeline::Impl::~Impl() {
  // All at once, so that their last samples are finished side by side.
  for (std::jthread& thread : threads_) thread.request_stop();
}

// A thread that cannot go on leaves a batch that is never finished, so whoever waits is told.
void Pipeline::Impl::Work(const std::stop_token& stop, Counters& counters) {
  try {
    counters.thread.store(gettid(), std::memory_order_release);
    LoadTasks(stop, counters);
    counters.EndFirstPass(options_.fetched_bytes);
  } catch (const std::bad_alloc&) {
    Fail({base::ErrorKind::kOutOfMemory,
          "out of memory in an input thread: try fewer software.input.threads or prefetchBatches, "
          "or more compute.resources.memory"});
  } catch (const std::exception& error) {
    Fail({base::ErrorKind::kInternal, std::string("an input thread failed: ") + error.what()});
  }
}

void Pipeline::Impl::Fail(base::Error error) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(error);
  }
  changed_.notify_all();
}

void Pipeline::Impl::LoadTasks(const std::stop_token& stop, Counters& counters) {
  Scratch scratch(options_.read_mode);
  while (!stop.stop_requested()) {
    const int64_t task = next_task_.fetch_add(1, std::memory_order_relaxed);
    const int64_t batch = task / options_.batch_size;
    if (order_.EpochOf(batch) > 0) counters.EndFirstPass(options_.fetched_bytes);
    if (batch >= batch_limit_ || !WaitUntilOpen(batch, stop)) return;
    Prepare(batch);
    const int64_t position = task % options_.batch_size;
    // A void task does not hold its batch back, so its slot may be the consumer's by now.
    if (position >= order_.SizeOf(batch)) continue;
    LoadInto(SlotOf(batch), batch, position, scratch, counters);
  }
}

bool Pipeline::Impl::WaitUntilOpen(int64_t batch, const std::stop_token& stop) {
  const auto is_open = [this, batch] { return batch < open_.load(std::memory_order_acquire); };
  if (is_open()) return true;
  std::unique_lock lock(mutex_);
  return changed_.wait(lock, stop, is_open);
}

// Fills the slots up to that of `batch`, in order, so that each epoch is shuffled once.
void Pipeline::Impl::Prepare(int64_t batch) {
  if (batch < prepared_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(order_mutex_);
  for (int64_t next = prepared_.load(std::memory_order_relaxed); next <= batch; ++next) {
    Slot& slot = SlotOf(next);
    const std::span<const int64_t> samples = order_.Samples(next);
    std::copy(samples.begin(), samples.end(), slot.indices.begin());
    slot.size = std::ssize(samples);
    slot.left.store(slot.size, std::memory_order_relaxed);
    prepared_.store(next + 1, std::memory_order_release);
  }
}

void Pipeline::Impl::LoadInto(Slot& slot, int64_t batch, int64_t position, Scratch& scratch,
                              Counters& counters) {
  const int64_t index = slot.indices[position];
  const SampleRequest request{
      .index = index,
      .random = AugmentationSeed(options_.seed, order_.EpochOf(batch), index),
      .augment = options_.augment,
      .order = options_.order};
  const std::span<float> pixels(slot.pixels.get() + position * sample_floats_,
                                static_cast<size_t>(sample_floats_));
  const base::Result<SampleResult> loaded = dataset_.Load(request, pixels, scratch);
  if (loaded) {
    slot.labels[position] = loaded->label;
    counters.Add(loaded->cost, /*in_first_pass=*/order_.EpochOf(batch) == 0);
  } else {
    slot.errors[position] = loaded.error();
  }
  if (slot.left.fetch_sub(1, std::memory_order_acq_rel) == 1) Complete(slot);
}

void Pipeline::Impl::Complete(Slot& slot) {
  {
    const std::lock_guard lock(mutex_);
    slot.ready = true;
    ready_.fetch_add(1, std::memory_order_relaxed);
  }
  changed_.notify_all();
}

base::Result<std::optional<Batch>> Pipeline::Impl::Next(std::stop_token stop) {
  if (next_batch_ >= batch_limit_) return std::optional<Batch>();
  Slot& slot = SlotOf(next_batch_);
  {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return slot.ready || failure_; })) {
      return base::MakeError(base::ErrorKind::kInterrupted, "stopped while waiting for a batch");
    }
    if (failure_) return tl::unexpected(*failure_);
    slot.ready = false;
    ready_.fetch_sub(1, std::memory_order_relaxed);
    // The batch lent before is now given back, and its slot is that of the one opened here.
    open_.fetch_add(1, std::memory_order_release);
  }
  changed_.notify_all();
  const int64_t batch = next_batch_++;
  // Counted here, in order, and not where it was found: so the outcome is the same for any number
  // of threads.
  const base::Status counted = CountBadSamples(slot);
  if (!counted) return tl::unexpected(counted.error());
  Compact(slot);
  return Lend(slot, batch);
}

base::Status Pipeline::Impl::CountBadSamples(const Slot& slot) {
  const std::lock_guard lock(mutex_);
  for (int64_t p = 0; p < slot.size; ++p) {
    const base::Error& error = slot.errors[p];
    if (error.message.empty() || !bad_.insert(slot.indices[p]).second) continue;
    if (IsOfReading(error)) ++unreadable_;
    BadSample bad{dataset_.SampleName(slot.indices[p]), error.message};
    const std::string message = bad.path + ": " + bad.reason;
    if (bad_samples_.size() < kMostBadSamplesKept) bad_samples_.push_back(std::move(bad));
    if (std::ssize(bad_) <= options_.max_bad_files) continue;
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           message + " (" + std::to_string(bad_.size()) +
                               " unusable, maxBadFiles is " +
                               std::to_string(options_.max_bad_files) + ")");
  }
  return {};
}

// Moves the samples that were loaded to the front, in their order.
void Pipeline::Impl::Compact(Slot& slot) const {
  int64_t kept = 0;
  for (int64_t p = 0; p < slot.size; ++p) {
    if (!slot.errors[p].message.empty()) {
      slot.errors[p].message.clear();
      continue;
    }
    if (kept != p) {
      std::copy_n(slot.pixels.get() + p * sample_floats_, sample_floats_,
                  slot.pixels.get() + kept * sample_floats_);
      slot.labels[kept] = slot.labels[p];
      slot.indices[kept] = slot.indices[p];
    }
    ++kept;
  }
  slot.size = kept;
}

Batch Pipeline::Impl::Lend(Slot& slot, int64_t batch) const {
  const auto size = static_cast<size_t>(slot.size);
  return {.pixels = {slot.pixels.get(), size * static_cast<size_t>(sample_floats_)},
          .labels = std::span<const int64_t>(slot.labels).first(size),
          .indices = std::span<const int64_t>(slot.indices).first(size),
          .size = slot.size,
          .epoch = order_.EpochOf(batch),
          .last_of_epoch = order_.IsLastOfEpoch(batch)};
}

PipelineTotals Pipeline::Impl::Totals() const {
  PipelineTotals totals;
  for (const Counters& counters : counters_) {
    totals.read_seconds += SecondsOf(counters.read);
    totals.decode_seconds += SecondsOf(counters.decode);
    totals.transform_seconds += SecondsOf(counters.transform);
    totals.samples += counters.samples.load(std::memory_order_relaxed);
    totals.bytes_requested += counters.bytes.load(std::memory_order_relaxed);
  }
  const std::lock_guard lock(mutex_);
  totals.bad_files = std::ssize(bad_);
  totals.unreadable_files = unreadable_;
  return totals;
}

std::vector<BadSample> Pipeline::Impl::BadSamples() const {
  const std::lock_guard lock(mutex_);
  return bad_samples_;
}

FirstPass Pipeline::Impl::ReadInFirstPass() const {
  FirstPass pass;
  int64_t fetched = 0;
  bool told = static_cast<bool>(options_.fetched_bytes);
  for (const Counters& counters : counters_) {
    pass.bytes += counters.first_pass_bytes.load(std::memory_order_relaxed);
    pass.page_bytes += counters.first_pass_page_bytes.load(std::memory_order_relaxed);
    if (!told) continue;
    const int64_t one = counters.FetchedInFirstPass(options_.fetched_bytes);
    told = one != Counters::kUntold;
    fetched += one;
  }
  if (told) pass.fetched_bytes = fetched;
  return pass;
}

Pipeline::Pipeline(const Dataset& dataset, const PipelineOptions& options)
    : impl_(std::make_unique<Impl>(dataset, options)) {}

Pipeline::~Pipeline() = default;

base::Result<std::optional<Batch>> Pipeline::Next(std::stop_token stop) {
  return impl_->Next(std::move(stop));
}

PipelineTotals Pipeline::Totals() const { return impl_->Totals(); }
int64_t Pipeline::ready_batches() const { return impl_->ready_batches(); }
std::vector<BadSample> Pipeline::BadSamples() const { return impl_->BadSamples(); }
FirstPass Pipeline::ReadInFirstPass() const { return impl_->ReadInFirstPass(); }

}  // namespace fairlap::data

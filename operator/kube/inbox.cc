#include "operator/kube/inbox.h"

#include <utility>

namespace fairlap::kube {
namespace {

using concurrency::streams::details::streambuf_state_manager;

constexpr size_t kHighWaterBytes = 1 << 20;
// cpprestsdk reads a chunk whole, up to 2 GiB, and takes "-1" for a size; see Inbox::Put.
constexpr size_t kMaxPieceBytes = 256U << 20;

// Only _putn is ever called; the rest is what the base class wants to be there.
class BodyBuffer : public streambuf_state_manager<uint8_t> {
 public:
  explicit BodyBuffer(std::shared_ptr<Inbox> inbox)
      : streambuf_state_manager(std::ios_base::out), inbox_(std::move(inbox)) {}

  bool can_seek() const override { return false; }
  bool has_size() const override { return false; }
  size_t buffer_size(std::ios_base::openmode) const override { return 0; }
  void set_buffer_size(size_t, std::ios_base::openmode) override {}
  size_t in_avail() const override { return 0; }
  pos_type getpos(std::ios_base::openmode) const override { return Nowhere(); }
  pos_type seekpos(pos_type, std::ios_base::openmode) override { return Nowhere(); }
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
    return Nowhere();
  }
  bool acquire(uint8_t*& data, size_t& count) override {
    data = nullptr;
    count = 0;
    return false;
  }
  void release(uint8_t*, size_t) override {}

 protected:
  pplx::task<size_t> _putn(const uint8_t* data, size_t count) override {
    return inbox_->Put(data, count);
  }
  pplx::task<int_type> _putc(uint8_t value) override {
    return inbox_->Put(&value, 1).then([value](size_t) { return int_type{value}; });
  }
  pplx::task<int_type> _bumpc() override { return Nothing(); }
  int_type _sbumpc() override { return traits::eof(); }
  pplx::task<int_type> _getc() override { return Nothing(); }
  int_type _sgetc() override { return traits::eof(); }
  pplx::task<int_type> _nextc() override { return Nothing(); }
  pplx::task<int_type> _ungetc() override { return Nothing(); }
  pplx::task<size_t> _getn(uint8_t*, size_t) override { return pplx::task_from_result<size_t>(0); }
  size_t _scopy(uint8_t*, size_t) override { return 0; }
  pplx::task<bool> _sync() override { return pplx::task_from_result(true); }
  uint8_t* _alloc(size_t) override { return nullptr; }
  void _commit(size_t) override {}

 private:
  static pos_type Nowhere() { return pos_type(static_cast<off_type>(traits::eof())); }
  static pplx::task<int_type> Nothing() { return pplx::task_from_result<int_type>(traits::eof()); }

  std::shared_ptr<Inbox> inbox_;
};

}  // namespace

void Inbox::PutHead(const ExchangeHead& head) {
  const std::lock_guard lock(mutex_);
  head_ = head;
  changed_.notify_all();
}

pplx::task<size_t> Inbox::Put(const uint8_t* data, size_t count) {
  const std::lock_guard lock(mutex_);
  if (count > kMaxPieceBytes && !ended_) {
    ended_ = closed_ = true;
    error_ = "the answer has a chunk of an impossible size";
    changed_.notify_all();
  }
  if (closed_) return pplx::task_from_result(count);
  data_.append(reinterpret_cast<const char*>(data), count);
  changed_.notify_all();
  if (data_.size() < kHighWaterBytes) return pplx::task_from_result(count);
  waiting_ = Writer{{}, count};
  return pplx::create_task(waiting_->done);
}

void Inbox::End(std::optional<std::string> error) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  ended_ = true;
  error_ = std::move(error);
  changed_.notify_all();
}

Inbox::News Inbox::Wait(std::chrono::steady_clock::time_point until, std::stop_token stop) {
  News news;
  std::optional<Writer> writer;
  {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, std::move(stop), until, [this] { return HasNews(); });
    if (!HasNews()) return news;
    if (!head_taken_) news.head = head_;
    head_taken_ = head_.has_value();
    news.data = std::exchange(data_, {});
    news.ended = ended_;
    news.error = error_;
    writer = std::exchange(waiting_, std::nullopt);
  }
  if (writer) writer->done.set(writer->count);
  return news;
}

void Inbox::Close() {
  std::optional<Writer> writer;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    writer = std::exchange(waiting_, std::nullopt);
  }
  if (writer) writer->done.set(writer->count);
}

concurrency::streams::streambuf<uint8_t> MakeBodyBuffer(std::shared_ptr<Inbox> inbox) {
  return {std::make_shared<BodyBuffer>(std::move(inbox))};
}

}  // namespace fairlap::kube

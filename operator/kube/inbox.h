// What arrives in an exchange, between cpprestsdk's thread, which writes, and the calling one,
// which reads. The product includes it in exchange.cc alone.
#ifndef FAIRLAP_OPERATOR_KUBE_INBOX_H_
#define FAIRLAP_OPERATOR_KUBE_INBOX_H_

#define _TURN_OFF_PLATFORM_STRING  // no macro called U
#include <cpprest/astreambuf.h>
#include <cpprest/rawptrstream.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "operator/kube/exchange.h"

namespace fairlap::kube {

// Thread-safe. A writer that is a high-water mark ahead waits (its task does, no thread).
class Inbox {
 public:
  struct News {
    std::optional<ExchangeHead> head;
    std::string data;
    bool ended = false;
    std::optional<std::string> error;  // only if ended
    bool any() const { return head || !data.empty() || ended; }
  };

  void PutHead(const ExchangeHead& head);
  // Never fails: cpprestsdk waits in its own thread for what that thread is to do after a failed
  // write. A piece of an impossible size ends the exchange for its reader instead.
  pplx::task<size_t> Put(const uint8_t* data, size_t count);
  void End(std::optional<std::string> error);

  // What is new, or nothing when the time is up or `stop` is requested. The body never comes before
  // its head, although cpprestsdk may write it so.
  News Wait(std::chrono::steady_clock::time_point until, std::stop_token stop);
  // Nobody reads any more: what is written is dropped.
  void Close();

 private:
  bool HasNews() const { return head_ ? (!head_taken_ || !data_.empty() || ended_) : ended_; }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<ExchangeHead> head_;
  bool head_taken_ = false, ended_ = false, closed_ = false;
  std::string data_;
  std::optional<std::string> error_;
  struct Writer {
    pplx::task_completion_event<size_t> done;
    size_t count = 0;
  };
  std::optional<Writer> waiting_;
};

// The stream buffer that cpprestsdk writes a body into; write-only.
concurrency::streams::streambuf<uint8_t> MakeBodyBuffer(std::shared_ptr<Inbox> inbox);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_INBOX_H_

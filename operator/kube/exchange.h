// One HTTP/1.1 exchange over cpprestsdk, on a connection of its own: cpprestsdk sends a request
// again when a pooled connection turns out to be dead, a POST too. Only exchange.cc sees
// cpprestsdk.
#ifndef FAIRLAP_OPERATOR_KUBE_EXCHANGE_H_
#define FAIRLAP_OPERATOR_KUBE_EXCHANGE_H_

#include <openssl/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::kube {

struct ExchangeRequest {
  std::string url;
  std::string method = "GET";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body, content_type;  // none if the body is empty
  // Prepares a new connection's TLS; throws where it cannot. Without it the system's CAs count.
  std::function<void(SSL_CTX*)> prepare_tls;
  std::chrono::milliseconds deadline{30'000};      // for the whole exchange
  std::chrono::milliseconds idle_timeout{30'000};  // the longest time without a byte
};

struct ExchangeHead {
  int status = 0;
  int64_t content_length = 0;  // as the server claims it; 0 if it does not
  std::optional<std::chrono::seconds> retry_after;
};

// Both are called in the calling thread and return false to end the exchange.
struct ExchangeReader {
  std::function<bool(const ExchangeHead&)> on_head;
  std::function<bool(std::string_view)> on_data;  // never with more than about 1 MiB in hand
};

enum class ExchangeEnd { kComplete, kByReader, kByDeadline, kBySilence };

// Blocks until the exchange has ended or `stop` is requested, and returns at once then, whatever
// cpprestsdk still does in its thread. Never throws, follows no redirect. Any thread. Errors:
// kInvalidInput for what is no URL, kInterrupted on a stop, kIo for what the network or TLS did.
base::Result<ExchangeEnd> Exchange(const ExchangeRequest& request, const ExchangeReader& reader,
                                   std::stop_token stop);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_EXCHANGE_H_

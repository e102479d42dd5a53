// The seam between the Kubernetes client and the HTTP library: authenticated requests to one API
// server. What every implementation owes is proven by one contract suite
// (tests/integration/transport_contract.h).
#ifndef FAIRLAP_OPERATOR_KUBE_TRANSPORT_H_
#define FAIRLAP_OPERATOR_KUBE_TRANSPORT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace fairlap::kube {

struct HttpRequest {
  std::string method = "GET";
  std::string path;  // with the query: "/api/v1/namespaces/x/pods?labelSelector=a%3Db"
  std::string body;
  std::string content_type = "application/json";  // of the body, if there is one
  std::chrono::milliseconds deadline{30'000};     // for the whole exchange, to the last byte
  int64_t max_bytes = 64 << 20;                   // of the answer's body
};

// Who ended a stream.
enum class StreamEnd { kServer, kReader, kDeadline, kSilence };

struct HttpResponse {
  int status = 0;
  std::string body;
  std::optional<std::chrono::seconds> retry_after;
  StreamEnd ended_by = StreamEnd::kServer;
};

struct StreamRequest {
  std::string path;
  // The stream is ended after that long without a byte: its connection may be dead.
  std::chrono::milliseconds idle_timeout{120'000};
  std::chrono::milliseconds deadline{600'000};  // for the whole stream
};

// Thread-safe. Never throws, never follows a redirect, never sends a request twice, and sends
// credentials to no other host.
class Transport {
 public:
  virtual ~Transport() = default;

  // Blocks until the answer is complete, the deadline has passed or `stop` is requested. Any status
  // is a response. Errors: kInterrupted on a stop, kInvalidInput for what is no path, kIo for all
  // that the network or TLS did, a body larger than allowed too.
  virtual base::Result<HttpResponse> Send(const HttpRequest& request, std::stop_token stop) = 0;

  // GET whose body arrives piece by piece. `on_data` gets the pieces of a 200 answer as they come,
  // in the calling thread, and returns false to end the stream. The response holds the body only
  // where the status is not 200 (at most 64 KiB of it). Errors as above: a stream that broke before
  // its end is kIo, and so is one that was never answered.
  virtual base::Result<HttpResponse> Stream(const StreamRequest& request,
                                            const std::function<bool(std::string_view)>& on_data,
                                            std::stop_token stop) = 0;
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_TRANSPORT_H_

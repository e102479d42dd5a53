// A transport that answers from a script, and then hangs until it is stopped.
#ifndef FAIRLAP_TESTS_UNIT_OPERATOR_KUBE_FAKE_TRANSPORT_H_
#define FAIRLAP_TESTS_UNIT_OPERATOR_KUBE_FAKE_TRANSPORT_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operator/kube/transport.h"

namespace fairlap::kube {

struct Step {
  int status = 200;
  std::string body;
  std::optional<std::chrono::seconds> retry_after = std::nullopt;
  std::optional<base::Error> error = std::nullopt;  // after the body of a stream
  size_t piece_bytes = std::string::npos;           // of a stream's body
  StreamEnd ended_by = StreamEnd::kServer;
};

// Thread-safe.
class FakeTransport : public Transport {
 public:
  explicit FakeTransport(std::deque<Step> steps) : steps_(std::move(steps)) {}

  base::Result<HttpResponse> Send(const HttpRequest& request, std::stop_token stop) override;
  base::Result<HttpResponse> Stream(const StreamRequest& request,
                                    const std::function<bool(std::string_view)>& on_data,
                                    std::stop_token stop) override;

  // Blocks until a call has come that the script says nothing of.
  void WaitUntilPlayed();
  std::vector<HttpRequest> requests();

 private:
  base::Result<Step> Next(const HttpRequest& request, std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Step> steps_;
  std::vector<HttpRequest> requests_;
  int hanging_ = 0;
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_TESTS_UNIT_OPERATOR_KUBE_FAKE_TRANSPORT_H_

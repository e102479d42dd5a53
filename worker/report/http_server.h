// The worker's HTTP endpoint: GET /metrics, /v1/progress and /healthz. No result depends on it.
#ifndef FAIRLAP_WORKER_REPORT_HTTP_SERVER_H_
#define FAIRLAP_WORKER_REPORT_HTTP_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "lib/base/result.h"

namespace fairlap::report {

// What is served; called from the server's thread.
struct HttpContent {
  std::function<std::string()> metrics;   // text exposition format
  std::function<std::string()> progress;  // JSON
};

// One thread; bounded in connections, request size and time per connection, whatever clients do.
// Anything but GET of these three paths is answered with 404 or 405.
class HttpServer {
 public:
  // `address` is "HOST:PORT", HOST an IPv4 address or a bracketed IPv6 one; port 0 takes a free
  // one. kInvalidInput for a bad address, kConflict where it cannot be had.
  static base::Result<std::unique_ptr<HttpServer>> Start(const std::string& address,
                                                         HttpContent content);
  virtual ~HttpServer() = default;  // stops at once, in the middle of requests

  virtual const std::string& address() const = 0;  // with the port that was taken
};

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_HTTP_SERVER_H_

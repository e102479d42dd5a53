// A small HTTP server for metrics, health and progress: GET of a few fixed paths, robust against
// whatever clients do.
#ifndef FAIRLAP_LIB_HTTP_SERVER_H_
#define FAIRLAP_LIB_HTTP_SERVER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "lib/base/result.h"

namespace fairlap::http {

inline constexpr char kPlainText[] = "text/plain; charset=utf-8";
inline constexpr char kJson[] = "application/json";
inline constexpr char kExposition[] = "text/plain; version=0.0.4; charset=utf-8";  // Prometheus

struct Reply {
  int status = 200;
  const char* content_type = kPlainText;
  std::string body;
  std::function<void()> on_sent = {};  // in the server's thread, if the answer went out
};

// What is served, by path; each called in the server's thread.
using Routes = std::map<std::string, std::function<Reply()>, std::less<>>;

// One thread; bounded in connections, request size and time per connection. Anything but GET of the
// given paths is answered with 404 or 405.
class Server {
 public:
  // `address` is "HOST:PORT", HOST an IPv4 address or a bracketed IPv6 one; port 0 takes a free
  // one. kInvalidInput for a bad address, kConflict where it cannot be had.
  static base::Result<std::unique_ptr<Server>> Start(const std::string& address, Routes routes);
  virtual ~Server() = default;  // stops at once, in the middle of requests

  virtual const std::string& address() const = 0;  // with the port that was taken
};

}  // namespace fairlap::http

#endif  // FAIRLAP_LIB_HTTP_SERVER_H_

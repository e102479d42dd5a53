// One small HTTP GET with firm limits.
#ifndef FAIRLAP_OPERATOR_KUBE_HTTP_GET_H_
#define FAIRLAP_OPERATOR_KUBE_HTTP_GET_H_

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>

#include "lib/base/result.h"

namespace fairlap::kube {

struct HttpGetOptions {
  std::chrono::milliseconds deadline{400};  // for the whole exchange, from connect to the last byte
  int64_t max_bytes = 64 * 1024;            // of the body
};

// The body of a 200 response; redirects are not followed. Blocks until the answer is there, the
// deadline has passed or `stop` is requested; never throws. Any thread. Errors: kInvalidInput for
// what is no URL, kInterrupted on a stop, kIo for everything that the server or the network did.
base::Result<std::string> HttpGet(const std::string& url, const HttpGetOptions& options,
                                  std::stop_token stop);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_HTTP_GET_H_

#include "operator/kube/http_get.h"

#include "operator/kube/exchange.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr int kOk = 200;

tl::unexpected<base::Error> TooLarge(const std::string& url, int64_t max_bytes) {
  return MakeError(ErrorKind::kIo, url + ": the answer is larger than the " +
                                       std::to_string(max_bytes) + " bytes allowed here");
}

}  // namespace

base::Result<std::string> HttpGet(const std::string& url, const HttpGetOptions& options,
                                  std::stop_token stop) {
  ExchangeRequest request;
  request.url = url;
  request.deadline = request.idle_timeout = options.deadline;
  int status = 0;
  bool too_large = false;
  std::string body;
  ExchangeReader reader;
  reader.on_head = [&](const ExchangeHead& head) {
    status = head.status;
    too_large = head.content_length > options.max_bytes;  // one that says so is not waited for
    return status == kOk && !too_large;
  };
  reader.on_data = [&](std::string_view data) {
    body += data;
    too_large = static_cast<int64_t>(body.size()) > options.max_bytes;
    return !too_large;
  };
  const auto end = Exchange(request, reader, std::move(stop));
  if (!end) return MakeError(end.error().kind, url + ": " + end.error().message);
  if (status != 0 && status != kOk) {
    return MakeError(ErrorKind::kIo, url + ": answered " + std::to_string(status));
  }
  if (too_large) return TooLarge(url, options.max_bytes);
  if (*end == ExchangeEnd::kComplete) return body;
  return MakeError(ErrorKind::kIo,
                   url + ": no answer within " + std::to_string(options.deadline.count()) + " ms");
}

}  // namespace fairlap::kube

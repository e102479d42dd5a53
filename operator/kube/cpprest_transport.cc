#include "operator/kube/cpprest_transport.h"

#include <algorithm>
#include <string>
#include <utility>

#include "operator/kube/bearer_token.h"
#include "operator/kube/exchange.h"
#include "operator/kube/tls.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::MakeError;
using base::Result;

constexpr int kOk = 200;
constexpr int64_t kMaxErrorBytes = 64 * 1024;

StreamEnd EndOf(ExchangeEnd end) {
  switch (end) {
    case ExchangeEnd::kComplete: return StreamEnd::kServer;
    case ExchangeEnd::kByReader: return StreamEnd::kReader;
    case ExchangeEnd::kByDeadline: return StreamEnd::kDeadline;
    case ExchangeEnd::kBySilence: return StreamEnd::kSilence;
  }
  return StreamEnd::kServer;
}

class CpprestTransport : public Transport {
 public:
  CpprestTransport(std::string server, TlsIdentity identity, std::string token,
                   std::filesystem::path token_file)
      : server_(std::move(server)),
        identity_(std::make_shared<const TlsIdentity>(std::move(identity))),
        token_(std::move(token), std::move(token_file)) {}

  Result<HttpResponse> Send(const HttpRequest& request, std::stop_token stop) override;
  Result<HttpResponse> Stream(const StreamRequest& request,
                              const std::function<bool(std::string_view)>& on_data,
                              std::stop_token stop) override;

 private:
  Result<ExchangeRequest> Prepare(const std::string& method, const std::string& path);

  const std::string server_;
  const std::shared_ptr<const TlsIdentity> identity_;
  BearerToken token_;
};

tl::unexpected<base::Error> Failed(const ExchangeRequest& request, ErrorKind kind,
                                   const std::string& what) {
  return MakeError(kind, request.method + " " + request.url + ": " + what);
}

tl::unexpected<base::Error> Late(const ExchangeRequest& request, std::chrono::milliseconds limit) {
  return Failed(request, ErrorKind::kIo,
                "no answer within " + std::to_string(limit.count()) + " ms");
}

// The reader fills `response`: `on_data` gets what comes with status 200, the body the rest, of
// which `max_bytes` are kept.
ExchangeReader MakeReader(HttpResponse& response, int64_t max_bytes,
                          std::function<bool(std::string_view)> on_data) {
  ExchangeReader reader;
  reader.on_head = [&response](const ExchangeHead& head) {
    response.status = head.status;
    response.retry_after = head.retry_after;
    return true;
  };
  reader.on_data = [&response, max_bytes, on_data = std::move(on_data)](std::string_view data) {
    if (on_data && response.status == kOk) return on_data(data);
    const auto room = static_cast<size_t>(max_bytes) - response.body.size();
    response.body += data.substr(0, room);
    return data.size() <= room;
  };
  return reader;
}

// A path that the server's URL can be put before: "@evil.example/" would make it another host's.
Result<ExchangeRequest> CpprestTransport::Prepare(const std::string& method,
                                                  const std::string& path) {
  if (!path.starts_with('/')) {
    return MakeError(ErrorKind::kInvalidInput, "\"" + path + "\" is no path");
  }
  ExchangeRequest request;
  request.url = server_ + path;
  request.method = method;
  request.headers = {{"Accept", "application/json, */*"}, {"User-Agent", "fairlap"}};
  if (const std::string token = token_.Get(); !token.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + token);
  }
  // cpprestsdk may still be connecting when the exchange is over and we are gone.
  request.prepare_tls = [identity = identity_](SSL_CTX* context) { identity->Apply(context); };
  return request;
}

Result<HttpResponse> CpprestTransport::Send(const HttpRequest& request, std::stop_token stop) {
  auto exchange = Prepare(request.method, request.path);
  if (!exchange) return tl::unexpected(exchange.error());
  exchange->body = request.body;
  exchange->content_type = request.content_type;
  exchange->deadline = exchange->idle_timeout = request.deadline;
  HttpResponse response;
  ExchangeReader reader = MakeReader(response, request.max_bytes, nullptr);
  reader.on_head = [&, on_head = reader.on_head](const ExchangeHead& head) {
    return on_head(head) && head.content_length <= request.max_bytes;
  };
  const auto end = Exchange(*exchange, reader, std::move(stop));
  if (!end) return Failed(*exchange, end.error().kind, end.error().message);
  if (*end == ExchangeEnd::kComplete) return response;
  if (*end != ExchangeEnd::kByReader) return Late(*exchange, request.deadline);
  return Failed(
      *exchange, ErrorKind::kIo,
      "the answer is larger than the " + std::to_string(request.max_bytes) + " bytes allowed here");
}

Result<HttpResponse> CpprestTransport::Stream(const StreamRequest& request,
                                              const std::function<bool(std::string_view)>& on_data,
                                              std::stop_token stop) {
  auto exchange = Prepare("GET", request.path);
  if (!exchange) return tl::unexpected(exchange.error());
  exchange->deadline = request.deadline;
  exchange->idle_timeout = request.idle_timeout;
  HttpResponse response;
  const auto end =
      Exchange(*exchange, MakeReader(response, kMaxErrorBytes, on_data), std::move(stop));
  if (!end) return Failed(*exchange, end.error().kind, end.error().message);
  if (response.status == 0) {
    return Late(*exchange, std::min(request.deadline, request.idle_timeout));
  }
  response.ended_by = EndOf(*end);
  return response;
}

struct Server {
  std::string url;
  bool encrypted = false, loopback = false;
};

// "https://host:port/prefix" without a slash at the end.
Result<Server> ReadServer(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  const bool encrypted = url.starts_with("https://");
  if (!encrypted && !url.starts_with("http://")) {
    return MakeError(ErrorKind::kInvalidInput, "the server \"" + url + "\" is no https:// URL");
  }
  const std::string rest = url.substr(url.find("://") + 3);
  const std::string host = rest.substr(0, rest.find_first_of(":/"));
  if (host.starts_with('[')) {
    return MakeError(
        ErrorKind::kUnavailable,
        "the server " + url + " is an IPv6 address, which is not supported: use its host name");
  }
  if (host.empty() || rest.find_first_of("@?# ") != std::string::npos) {
    return MakeError(ErrorKind::kInvalidInput, "the server \"" + url + "\" is no plain URL");
  }
  const bool is_address = host.find_first_not_of("0123456789.") == std::string::npos;
  return Server{url, encrypted, host == "localhost" || (is_address && host.starts_with("127."))};
}

}  // namespace

Result<std::unique_ptr<Transport>> MakeCpprestTransport(Credentials credentials) {
  const auto server = ReadServer(credentials.server);
  if (!server) return tl::unexpected(server.error());
  const bool has_token = !credentials.token.empty() || !credentials.token_file.empty();
  if (has_token && !server->encrypted && !server->loopback) {
    return MakeError(ErrorKind::kInvalidInput,
                     "the server " + server->url + " would get our token unencrypted");
  }
  auto identity = TlsIdentity::Make(credentials.ca_pem, credentials.client_certificate_pem,
                                    credentials.client_key_pem);
  if (!identity) return tl::unexpected(identity.error());
  return std::make_unique<CpprestTransport>(server->url, std::move(*identity),
                                            std::move(credentials.token),
                                            std::move(credentials.token_file));
}

}  // namespace fairlap::kube

#include "worker/report/http_server.h"

#include <civetweb.h>

#include <charconv>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace fairlap::report {
namespace {

constexpr char kJson[] = "application/json";
constexpr char kPlainText[] = "text/plain; charset=utf-8";
constexpr char kExposition[] = "text/plain; version=0.0.4; charset=utf-8";
constexpr size_t kMaxProgressBytes = 64 * 1024;

struct Reply {
  int status = 200;
  const char* reason = "OK";
  const char* type = kPlainText;
  std::string body;
  const char* more_headers = "";
};

struct HostPort {
  std::string host;
  int port = 0;
};

std::optional<HostPort> ParseAddress(std::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view digits = address.substr(colon + 1);
  int port = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (port < 0 || port > 65'535) return std::nullopt;
  const std::string_view host = address.substr(0, colon);
  // The server's own syntax gives these a meaning: lists of ports, TLS, redirection.
  if (host.find_first_not_of("0123456789abcdefABCDEF.:[]") != std::string_view::npos) {
    return std::nullopt;
  }
  return HostPort{std::string(host), port};
}

class CivetServer final : public HttpServer {
 public:
  explicit CivetServer(HttpContent content) : content_(std::move(content)) {}
  ~CivetServer() override {
    if (context_ != nullptr) mg_stop(context_);
  }

  base::Status Listen(const std::string& address);
  const std::string& address() const override { return address_; }

 private:
  static int Handle(mg_connection* connection, void* self);
  static int KeepMessage(const mg_connection* connection, const char* message);
  Reply ReplyTo(std::string_view method, std::string_view path) const;

  const HttpContent content_;
  mg_context* context_ = nullptr;
  std::string address_;
  std::mutex mutex_;
  std::string first_message_;  // of the server library: the cause, the later ones follow from it
};

int CivetServer::KeepMessage(const mg_connection* connection, const char* message) {
  auto* self = static_cast<CivetServer*>(mg_get_user_data(mg_get_context(connection)));
  if (self != nullptr) {
    const std::lock_guard lock(self->mutex_);
    if (self->first_message_.empty()) self->first_message_ = message;
  }
  return 1;  // said; the library is not to print it
}

base::Status CivetServer::Listen(const std::string& address) {
  const std::optional<HostPort> parsed = ParseAddress(address);
  if (!parsed) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           "cannot listen on '" + address +
                               "': expected ADDRESS:PORT, for example 127.0.0.1:9400 or [::1]:0");
  }
  const char* options[] = {"listening_ports",
                           address.c_str(),
                           "num_threads",
                           "4",
                           "connection_queue",
                           "16",
                           "listen_backlog",
                           "16",
                           "max_request_size",
                           "8192",
                           "request_timeout_ms",
                           "1000",
                           "enable_keep_alive",
                           "no",
                           "enable_directory_listing",
                           "no",
                           "tcp_nodelay",
                           "1",
                           nullptr};
  mg_callbacks callbacks{};
  callbacks.log_message = KeepMessage;
  context_ = mg_start(&callbacks, this, options);
  if (context_ == nullptr) {
    const std::lock_guard lock(mutex_);
    return base::MakeError(
        base::ErrorKind::kConflict,
        "cannot listen on " + address + ": " +
            (first_message_.empty() ? "the address is not free here" : first_message_));
  }
  mg_server_port port{};
  mg_get_server_ports(context_, 1, &port);
  address_ = parsed->host + ":" + std::to_string(port.port);
  mg_set_request_handler(context_, "/", Handle, this);
  return {};
}

Reply CivetServer::ReplyTo(std::string_view method, std::string_view path) const {
  const bool known = path == "/metrics" || path == "/v1/progress" || path == "/healthz";
  if (!known) {
    return {404, "Not Found", kPlainText, "here are /metrics, /v1/progress and /healthz\n"};
  }
  if (method != "GET") {
    return {405, "Method Not Allowed", kPlainText, "only GET\n", "Allow: GET\r\n"};
  }
  if (path == "/metrics") return {200, "OK", kExposition, content_.metrics()};
  if (path == "/healthz") return {200, "OK", kPlainText, "ok\n"};
  std::string progress = content_.progress();
  if (progress.size() <= kMaxProgressBytes) return {200, "OK", kJson, std::move(progress)};
  return {500, "Internal Server Error", kPlainText, "the progress is larger than 64 KiB\n"};
}

int CivetServer::Handle(mg_connection* connection, void* self) {
  const mg_request_info* request = mg_get_request_info(connection);
  const char* path = request->local_uri != nullptr ? request->local_uri : "";
  const Reply reply = static_cast<const CivetServer*>(self)->ReplyTo(request->request_method, path);
  mg_printf(
      connection,
      "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n%sConnection: close\r\n\r\n",
      reply.status, reply.reason, reply.type, reply.body.size(), reply.more_headers);
  mg_write(connection, reply.body.data(), reply.body.size());
  return reply.status;
}

}  // namespace

base::Result<std::unique_ptr<HttpServer>> HttpServer::Start(const std::string& address,
                                                            HttpContent content) {
  static const unsigned initialised = mg_init_library(0);
  static_cast<void>(initialised);
  auto server = std::make_unique<CivetServer>(std::move(content));
  if (base::Status listening = server->Listen(address); !listening) {
    return tl::unexpected(listening.error());
  }
  return server;
}

}  // namespace fairlap::report

#include "worker/report/http_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace fairlap::report {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr char kJson[] = "application/json";
constexpr char kPlainText[] = "text/plain; charset=utf-8";
constexpr char kExposition[] = "text/plain; version=0.0.4; charset=utf-8";
constexpr size_t kMaxProgressBytes = 64 * 1024;
constexpr size_t kMaxRequestBytes = 8 * 1024;
constexpr int kMaxConnections = 64;
constexpr std::chrono::seconds kMaxConnectionTime{2};

using Response = http::response<http::string_body>;

Response MakeResponse(http::status status, const char* type, std::string body) {
  Response response(status, 11);
  response.set(http::field::content_type, type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.keep_alive(false);
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

Response Respond(const HttpContent& content, http::verb method, std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path != "/metrics" && path != "/v1/progress" && path != "/healthz") {
    return MakeResponse(http::status::not_found, kPlainText,
                        "here are /metrics, /v1/progress and /healthz\n");
  }
  if (method != http::verb::get) {
    Response response = MakeResponse(http::status::method_not_allowed, kPlainText, "only GET\n");
    response.set(http::field::allow, "GET");
    return response;
  }
  if (path == "/metrics") return MakeResponse(http::status::ok, kExposition, content.metrics());
  if (path == "/healthz") return MakeResponse(http::status::ok, kPlainText, "ok\n");
  std::string progress = content.progress();
  if (progress.size() <= kMaxProgressBytes) {
    return MakeResponse(http::status::ok, kJson, std::move(progress));
  }
  return MakeResponse(http::status::internal_server_error, kPlainText,
                      "the progress is larger than 64 KiB\n");
}

// One request and its response; keeps itself alive through the handlers that wait for it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, const HttpContent& content, int& open)
      : stream_(std::move(socket)), content_(content), open_(open) {
    ++open_;
    parser_.header_limit(kMaxRequestBytes);
  }
  ~Connection() { --open_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Serve() {
    stream_.expires_after(kMaxConnectionTime);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](error_code error, size_t) {
                              if (!error) self->Answer();
                            });
  }

 private:
  void Answer() {
    const auto& request = parser_.get();
    const auto target = request.target();
    response_ = Respond(content_, request.method(), {target.data(), target.size()});
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(Tcp::socket::shutdown_both, ignored);
    });
  }

  beast::tcp_stream stream_;
  const HttpContent& content_;
  int& open_;  // connections; touched by the server's thread alone
  beast::flat_buffer buffer_{kMaxRequestBytes};
  http::request_parser<http::empty_body> parser_;
  Response response_;
};

std::optional<Tcp::endpoint> ParseAddress(std::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view digits = address.substr(colon + 1);
  uint16_t port = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  std::string_view host = address.substr(0, colon);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  error_code error;
  const auto ip = asio::ip::make_address(std::string(host), error);
  if (error || ip.is_v6() != bracketed) return std::nullopt;
  return Tcp::endpoint(ip, port);
}

class BeastServer final : public HttpServer {
 public:
  explicit BeastServer(HttpContent content) : content_(std::move(content)) {}
  ~BeastServer() override { io_.stop(); }

  error_code Listen(Tcp::endpoint endpoint) {
    error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(kMaxConnections, error);
    if (!error) endpoint = acceptor_.local_endpoint(error);
    if (error) return error;
    const std::string host = endpoint.address().to_string();
    address_ = (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
               std::to_string(endpoint.port());
    Accept();
    thread_ = std::jthread([this] { io_.run(); });
    return {};
  }

  const std::string& address() const override { return address_; }

 private:
  void Accept() {
    acceptor_.async_accept([this](error_code error, Tcp::socket socket) {
      // Above the limit a connection is closed unanswered.
      if (!error && open_ < kMaxConnections) {
        std::make_shared<Connection>(std::move(socket), content_, open_)->Serve();
      }
      if (!error) return Accept();
      // No file descriptor left, say: asking again at once would keep a core busy.
      retry_.expires_after(std::chrono::seconds(1));
      retry_.async_wait([this](error_code stopped) {
        if (!stopped) Accept();
      });
    });
  }

  const HttpContent content_;
  std::string address_;
  int open_ = 0;  // outlives the connections, which the context holds
  asio::io_context io_{1};
  Tcp::acceptor acceptor_{io_};
  asio::steady_timer retry_{io_};
  std::jthread thread_;
};

}  // namespace

base::Result<std::unique_ptr<HttpServer>> HttpServer::Start(const std::string& address,
                                                            HttpContent content) {
  const std::optional<Tcp::endpoint> endpoint = ParseAddress(address);
  if (!endpoint) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           "cannot listen on '" + address +
                               "': expected ADDRESS:PORT, for example 127.0.0.1:9400 or [::1]:0");
  }
  auto server = std::make_unique<BeastServer>(std::move(content));
  if (const error_code error = server->Listen(*endpoint)) {
    return base::MakeError(base::ErrorKind::kConflict,
                           "cannot listen on " + address + ": " + error.message());
  }
  return server;
}

}  // namespace fairlap::report

#include "lib/http/server.h"

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

namespace fairlap::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace beast_http = boost::beast::http;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr size_t kMaxRequestBytes = 8 * 1024;
constexpr int kMaxConnections = 64;
constexpr std::chrono::seconds kMaxConnectionTime{2};

using Response = beast_http::response<beast_http::string_body>;

Response MakeResponse(beast_http::status status, const char* type, std::string body) {
  Response response(status, 11);
  response.set(beast_http::field::content_type, type);
  response.set(beast_http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.keep_alive(false);
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

std::string PathsOf(const Routes& routes) {
  std::string paths;
  for (const auto& [path, reply] : routes) paths += (paths.empty() ? "" : ", ") + path;
  return paths;
}

// What goes out and what is to be told about it.
struct Answered {
  Response response;
  std::function<void()> on_sent = {};
};

Answered Respond(const Routes& routes, beast_http::verb method, std::string_view target) {
  const auto route = routes.find(target.substr(0, target.find('?')));
  if (route == routes.end()) {
    return {MakeResponse(beast_http::status::not_found, kPlainText,
                         "here are " + PathsOf(routes) + "\n")};
  }
  if (method != beast_http::verb::get) {
    Response response =
        MakeResponse(beast_http::status::method_not_allowed, kPlainText, "only GET\n");
    response.set(beast_http::field::allow, "GET");
    return {std::move(response)};
  }
  Reply reply = route->second();
  return {MakeResponse(static_cast<beast_http::status>(reply.status), reply.content_type,
                       std::move(reply.body)),
          std::move(reply.on_sent)};
}

// One request and its response; keeps itself alive through the handlers that wait for it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, const Routes& routes, int& open)
      : stream_(std::move(socket)), routes_(routes), open_(open) {
    ++open_;
    parser_.header_limit(kMaxRequestBytes);
  }
  ~Connection() { --open_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Serve() {
    stream_.expires_after(kMaxConnectionTime);
    beast_http::async_read_header(stream_, buffer_, parser_,
                                  [self = shared_from_this()](error_code error, size_t) {
                                    if (!error) self->Answer();
                                  });
  }

 private:
  void Answer() {
    const auto& request = parser_.get();
    const auto target = request.target();
    answered_ = Respond(routes_, request.method(), {target.data(), target.size()});
    beast_http::async_write(stream_, answered_.response,
                            [self = shared_from_this()](error_code error, size_t) {
                              error_code ignored;
                              self->stream_.socket().shutdown(Tcp::socket::shutdown_both, ignored);
                              if (!error && self->answered_.on_sent) self->answered_.on_sent();
                            });
  }

  beast::tcp_stream stream_;
  const Routes& routes_;
  int& open_;  // connections; touched by the server's thread alone
  beast::flat_buffer buffer_{kMaxRequestBytes};
  beast_http::request_parser<beast_http::empty_body> parser_;
  Answered answered_;
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

class BeastServer final : public Server {
 public:
  explicit BeastServer(Routes routes) : routes_(std::move(routes)) {}
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
        std::make_shared<Connection>(std::move(socket), routes_, open_)->Serve();
      }
      if (!error) return Accept();
      // No file descriptor left, say: asking again at once would keep a core busy.
      retry_.expires_after(std::chrono::seconds(1));
      retry_.async_wait([this](error_code stopped) {
        if (!stopped) Accept();
      });
    });
  }

  const Routes routes_;
  std::string address_;
  int open_ = 0;  // outlives the connections, which the context holds
  asio::io_context io_{1};
  Tcp::acceptor acceptor_{io_};
  asio::steady_timer retry_{io_};
  std::jthread thread_;
};

}  // namespace

base::Result<std::unique_ptr<Server>> Server::Start(const std::string& address, Routes routes) {
  const std::optional<Tcp::endpoint> endpoint = ParseAddress(address);
  if (!endpoint) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           "cannot listen on '" + address +
                               "': expected ADDRESS:PORT, for example 127.0.0.1:9400 or [::1]:0");
  }
  auto server = std::make_unique<BeastServer>(std::move(routes));
  if (const error_code error = server->Listen(*endpoint)) {
    return base::MakeError(base::ErrorKind::kConflict,
                           "cannot listen on " + address + ": " + error.message());
  }
  return server;
}

}  // namespace fairlap::http

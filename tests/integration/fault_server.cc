#include "tests/integration/fault_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

namespace fairlap::kube {
namespace {

size_t ContentLength(const std::string& head) {
  const size_t found = head.find("Content-Length:");
  return found == std::string::npos ? 0 : std::stoul(head.substr(found + 15));
}

SSL_CTX* MakeContext(const Identity& identity, const std::string& clients_ca_pem) {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  EXPECT_TRUE(Use(context, identity));
  if (clients_ca_pem.empty()) return context;
  EXPECT_TRUE(Trust(context, clients_ca_pem));
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return context;
}

}  // namespace

std::string Connection::Read() {
  char bytes[4096];
  const auto count = tls_ == nullptr ? ::recv(socket_, bytes, sizeof bytes, 0)
                                     : SSL_read(tls_, bytes, sizeof bytes);
  return count > 0 ? std::string(bytes, static_cast<size_t>(count)) : "";
}

std::string Connection::ReadRequest() {
  std::string request;
  while (true) {
    const size_t end = request.find("\r\n\r\n");
    if (end != std::string::npos && request.size() >= end + 4 + ContentLength(request)) break;
    const std::string more = Read();
    if (more.empty()) return "";
    request += more;
  }
  return request;
}

bool Connection::Send(std::string_view text) {
  while (!text.empty()) {
    const auto count = tls_ == nullptr
                           ? ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL)
                           : SSL_write(tls_, text.data(), static_cast<int>(text.size()));
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool Connection::ClosedWithin(std::chrono::milliseconds patience) {
  pollfd waiting{socket_, POLLRDHUP, 0};
  return ::poll(&waiting, 1, static_cast<int>(patience.count())) > 0;
}

FaultServer::FaultServer(Handler handler, const Identity& identity,
                         const std::string& clients_ca_pem)
    : FaultServer(std::move(handler), MakeContext(identity, clients_ca_pem)) {}

FaultServer::FaultServer(Handler handler, SSL_CTX* context)
    : handler_(std::move(handler)), context_(context, &SSL_CTX_free) {
  ::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listener_, 64);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  accepting_ = std::jthread([this] { Accept(); });
}

FaultServer::~FaultServer() {
  ::shutdown(listener_, SHUT_RDWR);  // ends accept
  accepting_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
  }
  threads_.clear();
  ::close(listener_);
}

std::string FaultServer::url() const {
  return (context_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port_);
}

void FaultServer::Accept() {
  while (true) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    ++connections_;
    {
      const std::lock_guard lock(mutex_);
      open_.push_back(socket);
    }
    threads_.emplace_back([this, socket] { Serve(socket); });
  }
}

void FaultServer::Serve(int socket) {
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(context_ ? SSL_new(context_.get()) : nullptr,
                                                      &SSL_free);
  bool ready = true;
  if (tls) {
    SSL_set_fd(tls.get(), socket);
    ready = SSL_accept(tls.get()) == 1;
  }
  Connection connection(socket, tls.get());
  if (ready) handler_(connection);
  if (tls && ready) SSL_shutdown(tls.get());
  const std::lock_guard lock(mutex_);
  std::erase(open_, socket);
  ::close(socket);
}

std::string MakeAnswer(int status, const std::string& body, const std::string& headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Type: application/json\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string MakeChunk(std::string_view text) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", text.size());
  return size + std::string(text) + "\r\n";
}

FaultServer::Handler Say(std::string answer) {
  return [answer = std::move(answer)](Connection& connection) {
    connection.ReadRequest();
    connection.Send(answer);
  };
}

FaultServer::Handler SayAndHang(std::string answer) {
  return [answer = std::move(answer)](Connection& connection) {
    connection.ReadRequest();
    connection.Send(answer);
    connection.ClosedWithin(kPatience);
  };
}

}  // namespace fairlap::kube

// An HTTP server on 127.0.0.1 that does exactly what a test tells it to, right or wrong.
#ifndef FAIRLAP_TESTS_INTEGRATION_FAULT_SERVER_H_
#define FAIRLAP_TESTS_INTEGRATION_FAULT_SERVER_H_

#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/integration/certificates.h"

namespace fairlap::kube {

// For what must not happen at all, and for what must happen soon: far from the deadlines that the
// tests set, and long enough for a busy machine.
inline constexpr std::chrono::milliseconds kPatience{60'000};
inline constexpr std::chrono::milliseconds kSoon{20'000};

// One accepted connection; used by its handler's thread alone.
class Connection {
 public:
  Connection(int socket, SSL* tls) : socket_(socket), tls_(tls) {}

  // Head and body of the next request; "" if the peer is away.
  std::string ReadRequest();
  bool Send(std::string_view text);                       // false if the peer is away
  bool ClosedWithin(std::chrono::milliseconds patience);  // whether the peer leaves in that time

 private:
  std::string Read();

  int socket_;
  SSL* tls_;  // nullptr for plain HTTP
};

class FaultServer {
 public:
  using Handler = std::function<void(Connection&)>;
  // The connection is closed when the handler returns. Every connection has a thread of its own.
  explicit FaultServer(Handler handler) : FaultServer(std::move(handler), nullptr) {}
  // With TLS. With `clients` only those that it has signed a certificate for are let in.
  FaultServer(Handler handler, const Identity& identity, const std::string& clients_ca_pem = "");
  ~FaultServer();  // ends all connections

  std::string url() const;
  int connections() const { return connections_; }

 private:
  using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
  FaultServer(Handler handler, SSL_CTX* context);
  void Accept();
  void Serve(int socket);

  Handler handler_;
  Context context_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::jthread> threads_;
  std::jthread accepting_;
};

// A whole answer with that body.
std::string MakeAnswer(int status, const std::string& body, const std::string& headers = "");
// The head of a chunked 200 answer, a piece of it, and its end.
inline constexpr std::string_view kChunkedHead =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
std::string MakeChunk(std::string_view text);
// Reads one request, gives this answer and closes.
FaultServer::Handler Say(std::string answer);
// And then leaves the connection open.
FaultServer::Handler SayAndHang(std::string answer);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace fairlap::kube

#endif  // FAIRLAP_TESTS_INTEGRATION_FAULT_SERVER_H_

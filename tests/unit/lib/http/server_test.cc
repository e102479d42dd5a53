#include "lib/http/server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>

namespace fairlap::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// One server for all tests.
class HttpServerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started =
        Server::Start("127.0.0.1:0", {{"/metrics",
                                       [] {
                                         return Reply{200, kExposition, "fairlap_loss 1\n"};
                                       }},
                                      {"/v1/progress",
                                       [] {
                                         return Reply{200, kJson, "xxx"};
                                       }},
                                      {"/readyz", [] {
                                         return Reply{503, kPlainText, "not yet\n"};
                                       }}});
    ASSERT_TRUE(started.has_value()) << started.error().message;
    server_ = *std::move(started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  static std::unique_ptr<Server> server_;
};
std::unique_ptr<Server> HttpServerTest::server_;

int Connect(const Server& server) {
  const std::string port = server.address().substr(server.address().rfind(':') + 1);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(port)));
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return client;
}

void Send(int client, const std::string& text) {
  EXPECT_EQ(::send(client, text.data(), text.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(text.size()));
}

std::string Receive(int client) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = ::recv(client, buffer, sizeof buffer, 0)) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

std::string Request(const Server& server, const std::string& method, const std::string& path) {
  const int client = Connect(server);
  Send(client, method + " " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  std::string reply = Receive(client);
  ::close(client);
  return reply;
}

TEST_F(HttpServerTest, ServesItsPathsOnAFreePort) {
  EXPECT_THAT(server_->address(), StartsWith("127.0.0.1:"));
  EXPECT_THAT(server_->address(), ::testing::Not(EndsWith(":0")));
  const std::string metrics = Request(*server_, "GET", "/metrics");
  EXPECT_THAT(metrics, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(metrics, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(metrics, EndsWith("\r\n\r\nfairlap_loss 1\n"));
  const std::string progress = Request(*server_, "GET", "/v1/progress?x=1");
  EXPECT_THAT(progress, HasSubstr("application/json"));
  EXPECT_THAT(progress, EndsWith("\r\n\r\nxxx"));
  EXPECT_THAT(Request(*server_, "GET", "/readyz"), StartsWith("HTTP/1.1 503 "));
}

TEST(HttpServer, SaysThatAnAnswerWentOutOnlyOnceItIsWhole) {
  std::promise<void> sent;
  const std::string body(4'000'000, 'x');  // more than fits into the sockets' buffers
  const auto server = Server::Start(
      "127.0.0.1:0", {{"/metrics", [&] {
                         return Reply{200, kPlainText, body, [&] { sent.set_value(); }};
                       }}});
  ASSERT_TRUE(server.has_value()) << server.error().message;
  std::future<void> went_out = sent.get_future();
  const int client = Connect(**server);
  Send(client, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  char first = 0;
  ASSERT_EQ(::recv(client, &first, 1, 0), 1);
  EXPECT_EQ(went_out.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  EXPECT_THAT(Receive(client), EndsWith("\r\n\r\n" + body));
  EXPECT_EQ(went_out.wait_for(std::chrono::seconds(30)), std::future_status::ready);
  ::close(client);
}

TEST_F(HttpServerTest, RefusesOtherPathsAndMethods) {
  EXPECT_THAT(Request(*server_, "GET", "/"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(Request(*server_, "GET", "/metrics/../etc/passwd"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(Request(*server_, "GET", "/metrics/x"), StartsWith("HTTP/1.1 404 "));
  for (const char* method : {"POST", "PUT", "DELETE", "HEAD"}) {
    const std::string reply = Request(*server_, method, "/metrics");
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 405 ")) << method;
    EXPECT_THAT(reply, HasSubstr("Allow: GET")) << method;
  }
}

TEST_F(HttpServerTest, AnswersWhileAClientSendsNothing) {
  const int silent = Connect(*server_);
  const int slow = Connect(*server_);
  Send(slow, "GET /metr");
  EXPECT_THAT(Request(*server_, "GET", "/metrics"), StartsWith("HTTP/1.1 200 "));
  ::close(silent);
  ::close(slow);
}

TEST_F(HttpServerTest, GivesUpOnARequestThatDoesNotArrive) {
  const int slow = Connect(*server_);
  Send(slow, "GET /metr");
  const timeval limit{30, 0};
  ::setsockopt(slow, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  const auto begin = std::chrono::steady_clock::now();
  Receive(slow);  // until the server closes
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ::close(slow);
}

TEST_F(HttpServerTest, SaysThatThePortIsTaken) {
  const auto second = Server::Start(server_->address(), {});
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().kind, base::ErrorKind::kConflict);
  EXPECT_THAT(second.error().message, HasSubstr("cannot listen on " + server_->address()));
  EXPECT_THAT(second.error().message, HasSubstr("Address already in use"));
}

TEST_F(HttpServerTest, RefusesAddressesThatAreNone) {
  for (const char* address : {"", "9400", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", ":9400",
                              "127.0.0.1:70000", "127.0.0.1:80s", "127.0.0.1:80,127.0.0.1:81"}) {
    const auto server = Server::Start(address, {});
    ASSERT_FALSE(server.has_value()) << address;
    EXPECT_EQ(server.error().kind, base::ErrorKind::kInvalidInput) << address;
    EXPECT_THAT(server.error().message, HasSubstr("expected ADDRESS:PORT")) << address;
  }
}

}  // namespace
}  // namespace fairlap::http

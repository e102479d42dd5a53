#include "operator/kube/http_get.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr milliseconds kPatience{30'000};

// A server on 127.0.0.1 that says the same to everyone who connects, and keeps the connection open
// afterwards if it is to `hang`.
class Server {
 public:
  explicit Server(std::string answer, bool hang = false) : answer_(std::move(answer)), hang_(hang) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener_, 8);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { Serve(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);  // ends accept
    thread_.join();
    ::close(listener_);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1/progress"; }

 private:
  void Serve() {
    std::vector<int> open;
    while (true) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) break;
      char request[4096];
      // Nothing comes from a client whose deadline passed while it connected.
      const bool asked = ::recv(client, request, sizeof request, 0) > 0;
      if (asked) ::send(client, answer_.data(), answer_.size(), MSG_NOSIGNAL);
      if (asked && hang_) {
        open.push_back(client);
      } else {
        ::close(client);
      }
    }
    for (const int client : open) ::close(client);
  }

  std::string answer_;
  bool hang_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::jthread thread_;
};

std::string Answer(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

base::Error ErrorOf(const base::Result<std::string>& answer) {
  EXPECT_FALSE(answer);
  return answer ? base::Error{} : answer.error();
}

TEST(HttpGet, GivesTheBody) {
  const Server server(Answer("{\"step\": 1}"));
  const auto body = HttpGet(server.url(), {kPatience, 1024}, {});
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_EQ(*body, "{\"step\": 1}");
}

TEST(HttpGet, TakesABodyOfExactlyTheLargestSize) {
  const Server server(Answer(std::string(1024, 'x')));
  EXPECT_TRUE(HttpGet(server.url(), {kPatience, 1024}, {}));
}

TEST(HttpGet, RefusesALargerBody) {
  const Server server(Answer(std::string(1025, 'x')));
  EXPECT_THAT(ErrorOf(HttpGet(server.url(), {kPatience, 1024}, {})).message,
              HasSubstr("larger than the 1024 bytes"));
}

TEST(HttpGet, DoesNotWaitForTheEndOfABodyThatIsTooLarge) {
  const Server server("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + std::string(2000, 'x'),
                      true);
  EXPECT_THAT(ErrorOf(HttpGet(server.url(), {kPatience, 1024}, {})).message,
              HasSubstr("larger than the 1024 bytes"));
}

TEST(HttpGet, DoesNotFollowRedirects) {
  const Server target(Answer("secret"));
  const Server server("HTTP/1.1 302 Found\r\nLocation: " + target.url() +
                      "\r\nContent-Length: 0\r\n\r\n");
  EXPECT_THAT(ErrorOf(HttpGet(server.url(), {kPatience, 1024}, {})).message,
              HasSubstr("answered 302"));
}

TEST(HttpGet, GivesUpAtTheDeadlineWhereverTheServerHangs) {
  for (const char* answer :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"}) {
    const Server server(answer, true);
    const auto begin = steady_clock::now();
    const base::Error error = ErrorOf(HttpGet(server.url(), {milliseconds(100), 1024}, {}));
    EXPECT_EQ(error.kind, ErrorKind::kIo) << answer;
    EXPECT_LT(steady_clock::now() - begin, kPatience) << answer;
  }
}

TEST(HttpGet, EndsWhenItIsAskedToStop) {
  const Server server("", true);
  std::stop_source stop;
  stop.request_stop();
  const auto begin = steady_clock::now();
  EXPECT_EQ(ErrorOf(HttpGet(server.url(), {kPatience, 1024}, stop.get_token())).kind,
            ErrorKind::kInterrupted);
  EXPECT_LT(steady_clock::now() - begin, kPatience);
}

TEST(HttpGet, ReportsWhatIsNoUrlAndWhereNobodyListens) {
  for (const char* url : {"", "no url at all", "ftp://127.0.0.1/"}) {
    EXPECT_EQ(ErrorOf(HttpGet(url, {kPatience, 1024}, {})).kind, ErrorKind::kInvalidInput) << url;
  }
  EXPECT_EQ(ErrorOf(HttpGet("http://127.0.0.1:1/", {kPatience, 1024}, {})).kind, ErrorKind::kIo);
}

TEST(HttpGet, SurvivesAnAnswerThatIsNoHttp) {
  const Server server("\x01\x02\x03 nonsense\r\n\r\n");
  EXPECT_EQ(ErrorOf(HttpGet(server.url(), {kPatience, 1024}, {})).kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace fairlap::kube

#include "operator/kube/http_get.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <string>

#include "tests/integration/fault_server.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr milliseconds kLimit{30'000};

base::Error ErrorOf(const base::Result<std::string>& answer) {
  EXPECT_FALSE(answer);
  return answer ? base::Error{} : answer.error();
}

TEST(HttpGet, GivesTheBody) {
  const FaultServer server(Say(MakeAnswer(200, "{\"step\": 1}")));
  const auto body = HttpGet(server.url(), {kLimit, 1024}, {});
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_EQ(*body, "{\"step\": 1}");
}

TEST(HttpGet, TakesABodyOfExactlyTheLargestSize) {
  const FaultServer server(Say(MakeAnswer(200, std::string(1024, 'x'))));
  EXPECT_TRUE(HttpGet(server.url(), {kLimit, 1024}, {}));
}

TEST(HttpGet, RefusesALargerBody) {
  const FaultServer server(Say(MakeAnswer(200, std::string(1025, 'x'))));
  EXPECT_THAT(ErrorOf(HttpGet(server.url(), {kLimit, 1024}, {})).message,
              HasSubstr("larger than the 1024 bytes"));
}

TEST(HttpGet, DoesNotWaitForTheEndOfABodyThatIsTooLarge) {
  const FaultServer server(
      SayAndHang("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + std::string(2000, 'x')));
  EXPECT_THAT(ErrorOf(HttpGet(server.url(), {kLimit, 1024}, {})).message,
              HasSubstr("larger than the 1024 bytes"));
}

TEST(HttpGet, DoesNotFollowRedirects) {
  const FaultServer target(Say(MakeAnswer(200, "secret")));
  const FaultServer server(
      Say("HTTP/1.1 302 Found\r\nLocation: " + target.url() + "\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_THAT(ErrorOf(HttpGet(server.url(), {kLimit, 1024}, {})).message,
              HasSubstr("answered 302"));
}

TEST(HttpGet, GivesUpAtTheDeadlineWhereverTheServerHangs) {
  for (const char* answer :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"}) {
    const FaultServer server(SayAndHang(answer));
    const auto begin = steady_clock::now();
    const base::Error error = ErrorOf(HttpGet(server.url(), {milliseconds(100), 1024}, {}));
    EXPECT_EQ(error.kind, ErrorKind::kIo) << answer;
    EXPECT_LT(steady_clock::now() - begin, kLimit) << answer;
  }
}

TEST(HttpGet, EndsWhenItIsAskedToStop) {
  const FaultServer server(SayAndHang(""));
  std::stop_source stop;
  stop.request_stop();
  const auto begin = steady_clock::now();
  EXPECT_EQ(ErrorOf(HttpGet(server.url(), {kLimit, 1024}, stop.get_token())).kind,
            ErrorKind::kInterrupted);
  EXPECT_LT(steady_clock::now() - begin, kLimit);
}

TEST(HttpGet, ReportsWhatIsNoUrlAndWhereNobodyListens) {
  for (const char* url : {"", "no url at all", "ftp://127.0.0.1/"}) {
    EXPECT_EQ(ErrorOf(HttpGet(url, {kLimit, 1024}, {})).kind, ErrorKind::kInvalidInput) << url;
  }
  EXPECT_EQ(ErrorOf(HttpGet("http://127.0.0.1:1/", {kLimit, 1024}, {})).kind, ErrorKind::kIo);
}

TEST(HttpGet, SurvivesAnAnswerThatIsNoHttp) {
  const FaultServer server(Say("\x01\x02\x03 nonsense\r\n\r\n"));
  EXPECT_EQ(ErrorOf(HttpGet(server.url(), {kLimit, 1024}, {})).kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace fairlap::kube

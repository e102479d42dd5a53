// The transport against servers that do what a good one never does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/file.h"
#include "operator/kube/cpprest_transport.h"
#include "operator/kube/http_get.h"
#include "tests/integration/fault_server.h"
#include "tests/integration/transport_contract.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Transport> Connect(Credentials credentials) {
  auto transport = MakeCpprestTransport(std::move(credentials));
  EXPECT_TRUE(transport) << transport.error().message;
  return std::move(*transport);
}

std::unique_ptr<Transport> Connect(const FaultServer& server) {
  Credentials credentials;
  credentials.server = server.url();
  credentials.token = "secret";
  return Connect(std::move(credentials));
}

base::Result<HttpResponse> Send(const FaultServer& server, HttpRequest request = {}) {
  if (request.path.empty()) request.path = "/version";
  return Connect(server)->Send(request, {});
}

HttpRequest With(milliseconds deadline) {
  HttpRequest request;
  request.deadline = deadline;
  return request;
}

ContractTarget GoodServer() {
  const auto serve = [](Connection& connection) {
    const std::string request = connection.ReadRequest();
    if (request.starts_with("GET /quiet")) {
      connection.Send(kChunkedHead);
      connection.ClosedWithin(kPatience);
    } else if (request.starts_with("GET /version ")) {
      connection.Send(MakeAnswer(200, "{\"major\": \"1\"}"));
    } else {
      connection.Send(MakeAnswer(404, "nothing here"));
    }
  };
  const auto server = std::make_shared<FaultServer>(serve);
  ContractTarget target{server, Connect(*server)};
  target.quiet = "/quiet?watch=1";
  return target;
}

INSTANTIATE_TEST_SUITE_P(PlainHttp, TransportContract, testing::Values(MakeTarget(GoodServer)));

TEST(Transport, SendsMethodHeadersAndBody) {
  std::promise<std::string> seen;
  const FaultServer server([&](Connection& connection) {
    seen.set_value(connection.ReadRequest());
    connection.Send(MakeAnswer(201, "{}"));
  });
  HttpRequest request;
  request.method = "PATCH";
  request.path = "/a%2Fb?labelSelector=a%3Db%2Cc";
  request.body = "{\"x\": 1}";
  request.content_type = "application/merge-patch+json";
  EXPECT_EQ(Send(server, request)->status, 201);
  const std::string text = seen.get_future().get();
  EXPECT_THAT(text, testing::StartsWith("PATCH /a%2Fb?labelSelector=a%3Db%2Cc HTTP/1.1\r\n"));
  EXPECT_THAT(text, HasSubstr("\r\nAuthorization:Bearer secret\r\n"));
  EXPECT_THAT(text, HasSubstr("\r\nAccept:application/json"));
  EXPECT_THAT(text, HasSubstr("\r\nContent-Type:application/merge-patch+json\r\n"));
  EXPECT_THAT(text, testing::EndsWith("\r\n\r\n{\"x\": 1}"));
}

TEST(Transport, FollowsNoRedirectAndTakesNoCredentialsThere) {
  const FaultServer other(Say(MakeAnswer(200, "{}")));
  for (const int status : {301, 302, 303, 307, 308}) {
    const FaultServer server(Say(MakeAnswer(status, "", "Location: " + other.url() + "/\r\n")));
    const auto response = Send(server);
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, status);
  }
  EXPECT_EQ(other.connections(), 0);
}

// cpprestsdk would send it once more, had it kept the first connection.
TEST(Transport, SendsNothingTwiceWhenAKeptConnectionDies) {
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "GET"}) {
    std::atomic<int> doomed = 0;
    const FaultServer server([&](Connection& connection) {
      while (true) {
        const std::string request = connection.ReadRequest();
        if (request.empty()) return;
        if (request.find(" /doomed ") != std::string::npos) {
          ++doomed;
          return;  // applied, but never answered
        }
        connection.Send(MakeAnswer(200, "{}"));
      }
    });
    const auto transport = Connect(server);
    HttpRequest request;
    request.path = "/version";
    EXPECT_TRUE(transport->Send(request, {}));
    request.method = method;
    request.path = "/doomed";
    const auto answer = transport->Send(request, {});
    ASSERT_FALSE(answer) << method;
    EXPECT_EQ(answer.error().kind, ErrorKind::kIo) << method;
    EXPECT_EQ(doomed, 1) << method;
  }
}

TEST(Transport, GivesUpAtTheDeadlineThoughBytesKeepDripping) {
  const FaultServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (connection.Send(MakeChunk("x")) && !connection.ClosedWithin(milliseconds(20))) {
    }
  });
  const auto begin = steady_clock::now();
  const auto response = Send(server, With(milliseconds(500)));
  EXPECT_GE(steady_clock::now() - begin, milliseconds(500));
  EXPECT_LT(steady_clock::now() - begin, kSoon);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kIo);
  EXPECT_THAT(response.error().message, HasSubstr("GET " + server.url() + "/version: no answer"));
}

TEST(Transport, GivesUpAtTheDeadlineWhereverTheServerHangs) {
  for (const char* answer :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nonly"}) {
    const FaultServer server(SayAndHang(answer));
    const auto response = Send(server, With(milliseconds(200)));
    ASSERT_FALSE(response) << answer;
    EXPECT_EQ(response.error().kind, ErrorKind::kIo) << answer;
  }
}

TEST(Transport, RefusesABodyThatIsTooLargeWithoutReadingIt) {
  HttpRequest request = With(kPatience);
  request.max_bytes = 1000;
  for (const std::string& head : {std::string("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n"),
                                  std::string(kChunkedHead) + MakeChunk(std::string(1001, 'x'))}) {
    const FaultServer server(SayAndHang(head));
    const auto response = Send(server, request);
    ASSERT_FALSE(response);
    EXPECT_THAT(response.error().message, HasSubstr("larger than the 1000 bytes"));
  }
}

TEST(Transport, ABodyThatWasCutOffIsAnError) {
  for (const std::string& answer :
       {std::string("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}"),
        std::string(kChunkedHead) + MakeChunk("{}"), std::string(kChunkedHead) + "5\r\n{}"}) {
    const FaultServer server(Say(answer));
    const auto response = Send(server);
    ASSERT_FALSE(response) << answer;
    EXPECT_EQ(response.error().kind, ErrorKind::kIo) << answer;
    std::string body;
    const auto stream = Connect(server)->Stream(
        {"/version"}, [&body](std::string_view piece) { return body += piece, true; }, {});
    EXPECT_FALSE(stream) << answer;
  }
}

TEST(Transport, SurvivesWhatIsNoHttp) {
  for (const std::string& answer :
       {std::string("\x01\x02\x03\r\n\r\n"), std::string("HTTP/1.1 x\r\n\r\n"),
        std::string(kChunkedHead) + "-1\r\nabcdef\r\n", std::string(kChunkedHead) + "zz\r\n"}) {
    const FaultServer server(Say(answer));
    EXPECT_FALSE(Send(server)) << answer;
    EXPECT_FALSE(HttpGet(server.url() + "/", {kPatience, 1024}, {})) << answer;
  }
}

TEST(Transport, ReportsWhereNobodyListens) {
  std::unique_ptr<Transport> transport;
  {
    const FaultServer server(Say(""));
    transport = Connect(server);
  }
  HttpRequest request;
  request.path = "/version";
  const auto response = transport->Send(request, {});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kIo);
}

TEST(Transport, PassesOnHowLongToWait) {
  const FaultServer server(Say(MakeAnswer(429, "{}", "Retry-After: 7\r\n")));
  EXPECT_EQ(Send(server)->retry_after, std::chrono::seconds(7));
  const FaultServer dated(Say(MakeAnswer(429, "{}", "Retry-After: Fri, 31 Dec 1999\r\n")));
  EXPECT_EQ(Send(dated)->retry_after, std::nullopt);
}

TEST(Transport, AStopEndsACallThatIsNotAnswered) {
  std::stop_source stop;
  const FaultServer server([&stop](Connection& connection) {
    connection.ReadRequest();
    stop.request_stop();
    connection.ClosedWithin(kPatience);
  });
  HttpRequest request = With(kPatience);
  request.path = "/version";
  const auto begin = steady_clock::now();
  const auto response = Connect(server)->Send(request, stop.get_token());
  EXPECT_LT(steady_clock::now() - begin, kSoon);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kInterrupted);
}

TEST(Transport, GivesAStreamsPiecesAsTheyCome) {
  std::binary_semaphore seen(0);
  const FaultServer server([&seen](Connection& connection) {
    connection.ReadRequest();
    connection.Send(kChunkedHead);
    for (const char* piece : {"one", "two", "three"}) {
      connection.Send(MakeChunk(piece));
      seen.acquire();  // the next one only when this one has arrived
    }
    connection.Send(kLastChunk);
  });
  std::vector<std::string> pieces;
  const auto response = Connect(server)->Stream({"/quiet", kPatience, kPatience},
                                                [&](std::string_view piece) {
                                                  pieces.emplace_back(piece);
                                                  seen.release();
                                                  return true;
                                                },
                                                {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->ended_by, StreamEnd::kServer);
  EXPECT_THAT(pieces, ElementsAre("one", "two", "three"));
}

TEST(Transport, ClosesAStreamThatItsReaderHasEnoughOf) {
  std::promise<bool> closed;
  const FaultServer server([&closed](Connection& connection) {
    connection.ReadRequest();
    connection.Send(std::string(kChunkedHead) + MakeChunk("x"));
    closed.set_value(connection.ClosedWithin(kPatience));
  });
  const auto response = Connect(server)->Stream({"/quiet", kPatience, kPatience},
                                                [](std::string_view) { return false; }, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->ended_by, StreamEnd::kReader);
  EXPECT_TRUE(closed.get_future().get());
}

TEST(Transport, KeepsTheBeginningOfALargeRefusalOfAStream) {
  const FaultServer server(SayAndHang("HTTP/1.1 500 Oops\r\nContent-Length: 1000000\r\n\r\n" +
                                      std::string(200'000, 'x')));
  const auto response = Connect(server)->Stream({"/quiet", kPatience, kPatience}, nullptr, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 500);
  EXPECT_EQ(response->body.size(), 64 * 1024);
}

TEST(Transport, ShowsATokenThatHasBeenRenewed) {
  std::mutex mutex;
  std::vector<std::string> requests;
  const FaultServer server([&](Connection& connection) {
    const std::lock_guard lock(mutex);
    requests.push_back(connection.ReadRequest());
    connection.Send(MakeAnswer(200, "{}"));
  });
  Credentials credentials;
  credentials.server = server.url();
  credentials.token_file = std::filesystem::path(testing::TempDir()) / "fairlap.token";
  ASSERT_TRUE(base::WriteFileAtomically(credentials.token_file, "old\n"));
  const auto transport = Connect(credentials);
  HttpRequest request;
  request.path = "/version";
  EXPECT_TRUE(transport->Send(request, {}));
  ASSERT_TRUE(base::WriteFileAtomically(credentials.token_file, "renewed\n"));
  EXPECT_TRUE(transport->Send(request, {}));
  const std::lock_guard lock(mutex);
  EXPECT_THAT(requests, ElementsAre(HasSubstr("Bearer old\r\n"), HasSubstr("Bearer renewed\r\n")));
}

TEST(Transport, AnswersManyThreadsAtOnce) {
  const FaultServer server(Say(MakeAnswer(200, "{}")));
  const auto transport = Connect(server);
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i) {
      threads.emplace_back([&] {
        HttpRequest request;
        request.path = "/version";
        for (int j = 0; j < 4; ++j) answered += transport->Send(request, {}) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(answered, 64);
}

}  // namespace
}  // namespace fairlap::kube

// What every Transport owes (operator/kube/transport.h) and every server lets us see: run against a
// server of the tests' own and against a real kube-apiserver. Included by one file of each program.
#ifndef FAIRLAP_TESTS_INTEGRATION_TRANSPORT_CONTRACT_H_
#define FAIRLAP_TESTS_INTEGRATION_TRANSPORT_CONTRACT_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "operator/kube/transport.h"
#include "tests/integration/fault_server.h"

namespace fairlap::kube {

struct ContractTarget {
  std::shared_ptr<void> server;  // kept alive
  std::shared_ptr<Transport> transport;
  std::string found = "/version";
  std::string missing = "/missing";
  std::string quiet = "";  // a stream that is answered with 200 and nothing else
};

using MakeTarget = std::function<ContractTarget()>;

class TransportContract : public testing::TestWithParam<MakeTarget> {
 protected:
  base::Result<HttpResponse> Stream(std::chrono::milliseconds idle_timeout,
                                    std::chrono::milliseconds deadline, std::stop_token stop = {}) {
    return target_.transport->Stream(
        {target_.quiet, idle_timeout, deadline}, [](std::string_view) { return true; },
        std::move(stop));
  }

  const ContractTarget target_ = GetParam()();
};

TEST_P(TransportContract, GivesStatusAndBody) {
  HttpRequest request;
  request.path = target_.found;
  const auto response = target_.transport->Send(request, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_THAT(response->body, testing::StartsWith("{"));
}

TEST_P(TransportContract, TakesAnyStatusForAnAnswer) {
  HttpRequest request;
  request.path = target_.missing;
  const auto response = target_.transport->Send(request, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 404);
  const auto unexpected = [](std::string_view) {
    ADD_FAILURE() << "a body that is no stream was given as one";
    return true;
  };
  const auto stream = target_.transport->Stream({target_.missing}, unexpected, {});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(stream->status, 404);
  EXPECT_FALSE(stream->body.empty());
}

TEST_P(TransportContract, TakesABodyOfExactlyTheLargestSizeAndNoMore) {
  HttpRequest request;
  request.path = target_.found;
  const auto whole = target_.transport->Send(request, {});
  ASSERT_TRUE(whole) << whole.error().message;
  request.max_bytes = static_cast<int64_t>(whole->body.size());
  EXPECT_TRUE(target_.transport->Send(request, {}));
  --request.max_bytes;
  const auto refused = target_.transport->Send(request, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kIo);
}

TEST_P(TransportContract, RefusesWhatIsNoPath) {
  for (const char* path : {"", "version", "@127.0.0.1/", "/a b", "/\r\nX: y"}) {
    HttpRequest request;
    request.path = path;
    const auto refused = target_.transport->Send(request, {});
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().kind, base::ErrorKind::kInvalidInput) << path;
  }
}

TEST_P(TransportContract, EndsAStreamThatFallsSilent) {
  const auto response = Stream(std::chrono::milliseconds(500), kPatience);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->ended_by, StreamEnd::kSilence);
}

TEST_P(TransportContract, EndsAStreamAtItsDeadline) {
  const auto response = Stream(kPatience, std::chrono::milliseconds(500));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->ended_by, StreamEnd::kDeadline);
}

TEST_P(TransportContract, AStopEndsAStreamInItsMiddle) {
  std::stop_source stop;
  std::jthread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // any moment will do
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto response = Stream(kPatience, kPatience, stop.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kSoon);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, base::ErrorKind::kInterrupted);
}

TEST_P(TransportContract, SendsNothingOnceItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  HttpRequest request;
  request.path = target_.found;
  const auto response = target_.transport->Send(request, stop.get_token());
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, base::ErrorKind::kInterrupted);
}

}  // namespace fairlap::kube

#endif  // FAIRLAP_TESTS_INTEGRATION_TRANSPORT_CONTRACT_H_

// Whom the transport trusts, and as whom it appears.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "operator/kube/cpprest_transport.h"
#include "tests/integration/certificates.h"
#include "tests/integration/fault_server.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using testing::HasSubstr;

std::unique_ptr<Transport> Connect(Credentials credentials) {
  auto transport = MakeCpprestTransport(std::move(credentials));
  EXPECT_TRUE(transport) << transport.error().message;
  return std::move(*transport);
}

class TransportTls : public testing::Test {
 protected:
  base::Result<HttpResponse> Ask(const FaultServer& server, const std::string& ca_pem,
                                 const Identity& us = {}) {
    Credentials credentials;
    credentials.server = server.url();
    credentials.ca_pem = ca_pem;
    credentials.client_certificate_pem = us.certificate_pem;
    credentials.client_key_pem = us.key_pem;
    HttpRequest request;
    request.path = "/version";
    return Connect(credentials)->Send(request, {});
  }

  const FaultServer::Handler answer_ = Say(MakeAnswer(200, "{}"));
  const Authority authority_;
};

TEST_F(TransportTls, TrustsOurAuthority) {
  const FaultServer server(answer_, authority_.Issue("IP:127.0.0.1"));
  const auto response = Ask(server, authority_.pem());
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
}

TEST_F(TransportTls, TrustsNoOther) {
  const FaultServer server(answer_, authority_.Issue("IP:127.0.0.1"));
  for (const std::string& ca : {Authority().pem(), std::string()}) {
    const auto response = Ask(server, ca);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().kind, ErrorKind::kIo);
    EXPECT_THAT(response.error().message, HasSubstr("certificate verify failed"));
  }
}

TEST_F(TransportTls, WantsTheServersOwnName) {
  for (const char* name : {"IP:127.0.0.2", "DNS:localhost"}) {
    const FaultServer server(answer_, authority_.Issue(name));
    EXPECT_FALSE(Ask(server, authority_.pem())) << name;
  }
}

TEST_F(TransportTls, ShowsOurCertificate) {
  const Authority clients;
  const FaultServer server(answer_, authority_.Issue("IP:127.0.0.1"), clients.pem());
  EXPECT_TRUE(Ask(server, authority_.pem(), clients.Issue("DNS:us")));
  EXPECT_FALSE(Ask(server, authority_.pem(), authority_.Issue("DNS:us")));
  EXPECT_FALSE(Ask(server, authority_.pem()));
}

TEST_F(TransportTls, AKeyOfAnotherCertificateIsRefusedAtOnce) {
  Credentials credentials;
  credentials.server = "https://127.0.0.1:1";
  credentials.client_certificate_pem = authority_.Issue("DNS:us").certificate_pem;
  credentials.client_key_pem = authority_.Issue("DNS:us").key_pem;
  const auto transport = MakeCpprestTransport(credentials);
  ASSERT_FALSE(transport);
  EXPECT_EQ(transport.error().kind, ErrorKind::kInvalidInput);
}

TEST_F(TransportTls, CutsNoCornerWhenAStreamIsCutOff) {
  const FaultServer server(
      [](Connection& connection) {
        connection.ReadRequest();
        connection.Send(std::string(kChunkedHead) + MakeChunk("x"));
      },
      authority_.Issue("IP:127.0.0.1"));
  Credentials credentials;
  credentials.server = server.url();
  credentials.ca_pem = authority_.pem();
  EXPECT_FALSE(
      Connect(credentials)
          ->Stream({"/quiet", kPatience, kPatience}, [](std::string_view) { return true; }, {}));
}

}  // namespace
}  // namespace fairlap::kube

#include "operator/kube/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "lib/base/file.h"
#include "operator/kube/bearer_token.h"
#include "operator/kube/cpprest_transport.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using testing::HasSubstr;

class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() { std::filesystem::create_directories(folder_); }
  ~CredentialsTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(base::WriteFileAtomically(folder_ / name, text));
    return folder_ / name;
  }
  std::filesystem::path Config(const std::string& cluster, const std::string& user) const {
    return Write("config",
                 "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts:\n"
                 "- name: a\n  context: {cluster: c, user: u, namespace: bench}\n"
                 "- name: b\n  context: {cluster: c, user: other}\n"
                 "clusters:\n- name: c\n  cluster: {" +
                     cluster + "}\nusers:\n- name: other\n  user: {token: second}\n" +
                     "- name: u\n  user: {" + user + "}\n");
  }
  base::Error Refusal(const std::string& cluster, const std::string& user) const {
    const auto credentials = ReadKubeconfig(Config(cluster, user));
    EXPECT_FALSE(credentials) << cluster << " " << user;
    return credentials ? base::Error{} : credentials.error();
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("credentials.") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

const char kServer[] = "server: \"https://127.0.0.1:6443\"";

TEST_F(CredentialsTest, ReadsInlineDataOfTheCurrentContext) {
  const auto read = ReadKubeconfig(
      Config(std::string(kServer) + ", certificate-authority-data: Q0E=",
             "client-certificate-data: Q0VSVA==, client-key-data: S0VZ, token: abc"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->server, "https://127.0.0.1:6443");
  EXPECT_EQ(read->ca_pem, "CA");
  EXPECT_EQ(read->client_certificate_pem, "CERT");
  EXPECT_EQ(read->client_key_pem, "KEY");
  EXPECT_EQ(read->token, "abc");
  EXPECT_EQ(read->ns, "bench");
}

TEST_F(CredentialsTest, ReadsFilesThatLieBesideTheKubeconfig) {
  Write("ca.crt", "CA");
  const auto read = ReadKubeconfig(
      Config(std::string(kServer) + ", certificate-authority: ca.crt", "tokenFile: token"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->ca_pem, "CA");
  EXPECT_EQ(read->token_file, folder_ / "token");
}

TEST_F(CredentialsTest, TakesTheContextThatIsAskedFor) {
  const auto read = ReadKubeconfig(Config(kServer, "token: first"), "b");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->token, "second");
  EXPECT_EQ(read->ns, "default");
}

TEST_F(CredentialsTest, RefusesByNameWhatItDoesNotSupport) {
  for (const char* field : {"insecure-skip-tls-verify: true", "proxy-url: \"http://proxy\"",
                            "tls-server-name: other"}) {
    const base::Error error = Refusal(std::string(kServer) + ", " + field, "token: x");
    EXPECT_EQ(error.kind, ErrorKind::kUnavailable) << field;
    const std::string name(field);
    EXPECT_THAT(error.message, HasSubstr(name.substr(0, name.find(':'))));
  }
  for (const char* field :
       {"exec: {command: aws}", "auth-provider: {name: gcp}", "username: me", "as: admin"}) {
    const base::Error error = Refusal(kServer, field);
    EXPECT_EQ(error.kind, ErrorKind::kUnavailable) << field;
    const std::string name(field);
    EXPECT_THAT(error.message, HasSubstr(name.substr(0, name.find(':')) + " is not supported"));
  }
}

TEST_F(CredentialsTest, AllowsASkipThatIsOff) {
  EXPECT_TRUE(ReadKubeconfig(
      Config(std::string(kServer) + ", insecure-skip-tls-verify: false", "token: x")));
}

TEST_F(CredentialsTest, SaysWhatIsMissingOrBroken) {
  EXPECT_THAT(Refusal("certificate-authority-data: Q0E=", "token: x").message,
              HasSubstr("the cluster has no server"));
  EXPECT_THAT(Refusal(std::string(kServer) + ", certificate-authority-data: \"*\"", "").message,
              HasSubstr("certificate-authority-data is no base64"));
  EXPECT_THAT(Refusal(kServer, "client-certificate-data: Q0E=").message,
              HasSubstr("client-key belong together"));
  EXPECT_EQ(Refusal(kServer, "client-certificate: absent.crt").kind, ErrorKind::kNotFound);
  EXPECT_EQ(ReadKubeconfig(folder_ / "absent").error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(ReadKubeconfig(Config(kServer, ""), "c").error().message,
              HasSubstr("contexts: there is no \"c\""));
  EXPECT_THAT(ReadKubeconfig(Write("list", "- a\n")).error().message,
              HasSubstr("is no kubeconfig"));
  EXPECT_THAT(ReadKubeconfig(Write("broken", "a: [\n")).error().message, HasSubstr("broken:"));
}

TEST_F(CredentialsTest, ReadsThePodsServiceAccount) {
  Write("ca.crt", "CA");
  Write("token", "secret\n");
  Write("namespace", "bench\n");
  std::map<std::string, std::string> environment{{"KUBERNETES_SERVICE_HOST", "10.96.0.1"},
                                                 {"KUBERNETES_SERVICE_PORT", "443"}};
  const auto look_up = [&](const char* name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  const auto read = ReadServiceAccount(look_up, folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->server, "https://10.96.0.1:443");
  EXPECT_EQ(read->ca_pem, "CA");
  EXPECT_EQ(read->token_file, folder_ / "token");
  EXPECT_EQ(read->ns, "bench");

  environment["KUBERNETES_SERVICE_HOST"] = "fd00::1";  // reachable by name alone
  EXPECT_EQ(ReadServiceAccount(look_up, folder_)->server, "https://kubernetes.default.svc:443");
  environment.clear();
  EXPECT_THAT(ReadServiceAccount(look_up, folder_).error().message, HasSubstr("this is no pod"));
}

TEST_F(CredentialsTest, APodWithoutATokenIsAnError) {
  Write("ca.crt", "CA");
  const auto read = ReadServiceAccount([](const char*) { return std::optional("x"); }, folder_);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("token"));
}

struct SetClock : base::Clock {
  base::SteadyTime now{std::chrono::hours(1)};
  base::SteadyTime Now() const override { return now; }
  base::WallTime WallNow() const override { return {}; }
};

TEST_F(CredentialsTest, ATokenFileIsReadAgainWhenItChanges) {
  const SetClock clock;
  BearerToken token("", Write("token", "first\n"), clock);
  EXPECT_EQ(token.Get(), "first");
  Write("token", "the second\r\nX-Other: header");
  EXPECT_EQ(token.Get(), "thesecondX-Other:header");  // nothing that could end a header
}

TEST_F(CredentialsTest, ATokenFileIsReadAgainAfterAMinuteInAnyCase) {
  SetClock clock;
  const auto path = Write("token", "aaa");
  BearerToken token("", path, clock);
  EXPECT_EQ(token.Get(), "aaa");
  const auto time = std::filesystem::last_write_time(path);
  Write("token", "bbb");
  std::filesystem::last_write_time(path, time);  // same size, same time
  EXPECT_EQ(token.Get(), "aaa");
  clock.now += std::chrono::seconds(60);
  EXPECT_EQ(token.Get(), "bbb");
}

TEST_F(CredentialsTest, TheLastTokenStaysWhileTheFileIsAway) {
  BearerToken token("", Write("token", "first"));
  EXPECT_EQ(token.Get(), "first");
  std::filesystem::remove(folder_ / "token");
  EXPECT_EQ(token.Get(), "first");
}

base::Error TransportRefusal(Credentials credentials) {
  const auto transport = MakeCpprestTransport(std::move(credentials));
  EXPECT_FALSE(transport);
  return transport ? base::Error{} : transport.error();
}

TEST(MakeCpprestTransport, RefusesServersThatItCannotOrMustNotTalkTo) {
  const auto with_server = [](const char* server) {
    Credentials credentials;
    credentials.server = server;
    credentials.token = "secret";
    return TransportRefusal(credentials).message;
  };
  EXPECT_THAT(with_server("ftp://a"), HasSubstr("is no https:// URL"));
  EXPECT_THAT(with_server("https://"), HasSubstr("is no https:// URL"));
  EXPECT_THAT(with_server("https://:443"), HasSubstr("is no plain URL"));
  EXPECT_THAT(with_server("https://a@b"), HasSubstr("is no plain URL"));
  EXPECT_THAT(with_server("https://[::1]:6443"), HasSubstr("IPv6 address"));
  EXPECT_THAT(with_server("http://10.0.0.1"), HasSubstr("unencrypted"));
  EXPECT_THAT(with_server("http://127.evil.example"), HasSubstr("unencrypted"));
}

TEST(MakeCpprestTransport, RefusesWhatIsNoCertificateOrKey) {
  Credentials credentials;
  credentials.server = "https://127.0.0.1:1";
  credentials.ca_pem = "nonsense";
  EXPECT_THAT(TransportRefusal(credentials).message, HasSubstr("certificate authority is no PEM"));
  credentials.ca_pem.clear();
  credentials.client_certificate_pem = "nonsense";
  EXPECT_THAT(TransportRefusal(credentials).message, HasSubstr("client certificate is no PEM"));
}

}  // namespace
}  // namespace fairlap::kube

#include "operator/kube/credentials.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "lib/api/yaml.h"
#include "lib/base/encoding.h"
#include "lib/base/file.h"
#include "lib/base/json.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;
using base::MakeError;
using base::Result;
using base::Status;

constexpr int64_t kMaxFileBytes = 1 << 20;

std::string WithoutSpace(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

// A kubeconfig that has been read, to look things up in with errors that name the file.
class Kubeconfig {
 public:
  Kubeconfig(std::filesystem::path path, Json root)
      : path_(std::move(path)), root_(std::move(root)) {}

  tl::unexpected<base::Error> Wrong(const std::string& what) const {
    return MakeError(ErrorKind::kInvalidInput, path_.string() + ": " + what);
  }

  // "" if the field is absent or null.
  Result<std::string> Text(const Json& object, std::string_view field) const {
    const auto found = object.find(field);
    if (found == object.end() || found->is_null()) return std::string();
    if (!found->is_string()) return Wrong(std::string(field) + " is no text");
    return found->get<std::string>();
  }

  // The `inner` object of the entry of that name in the list `list`.
  Result<Json> Entry(const char* list, const char* inner, const std::string& name) const {
    if (const auto entries = root_.find(list); entries != root_.end() && entries->is_array()) {
      for (const Json& entry : *entries) {
        if (!entry.is_object() || entry.value("name", Json()) != Json(name)) continue;
        const auto found = entry.find(inner);
        if (found != entry.end() && found->is_object()) return *found;
        return Wrong(std::string(list) + ": \"" + name + "\" has no " + inner);
      }
    }
    return Wrong(std::string(list) + ": there is no \"" + name + "\"");
  }

  // Fields that would change who we are or whom we trust, if they were ignored.
  Status Refuse(const Json& object, std::initializer_list<const char*> fields) const {
    for (const char* field : fields) {
      const auto found = object.find(field);
      if (found == object.end() || found->is_null() || *found == Json(false) ||
          *found == Json("")) {
        continue;
      }
      return MakeError(ErrorKind::kUnavailable,
                       path_.string() + ": " + field +
                           " is not supported: use a client certificate or a token, and a CA");
    }
    return {};
  }

  std::filesystem::path Beside(const std::string& file) const { return path_.parent_path() / file; }

  // Of "<field>-data", in base64, or else of the file that "<field>" names; "" if there is neither.
  Result<std::string> Pem(const Json& object, const std::string& field) const {
    const auto data = Text(object, field + "-data");
    if (!data) return tl::unexpected(data.error());
    if (!data->empty()) {
      auto decoded = base::FromBase64(WithoutSpace(*data));
      return decoded ? decoded : Wrong(field + "-data is no base64");
    }
    const auto file = Text(object, field);
    if (!file || file->empty()) return file;
    return base::ReadFile(Beside(*file), kMaxFileBytes);
  }

  const Json& root() const { return root_; }

 private:
  std::filesystem::path path_;
  Json root_;
};

// Moves the value of `result` into `target`, or says what is wrong.
Status Take(Result<std::string> result, std::string& target) {
  if (!result) return tl::unexpected(std::move(result).error());
  target = std::move(*result);
  return {};
}

Status TakeCluster(const Kubeconfig& config, const Json& cluster, Credentials& credentials) {
  return config.Refuse(cluster, {"insecure-skip-tls-verify", "proxy-url", "tls-server-name"})
      .and_then([&] { return Take(config.Text(cluster, "server"), credentials.server); })
      .and_then([&]() -> Status {
        if (credentials.server.empty()) return config.Wrong("the cluster has no server");
        return Take(config.Pem(cluster, "certificate-authority"), credentials.ca_pem);
      });
}

Status TakeTokenFile(const Kubeconfig& config, const Json& user, Credentials& credentials) {
  const auto file = config.Text(user, "tokenFile");
  if (!file) return tl::unexpected(file.error());
  if (!file->empty()) credentials.token_file = config.Beside(*file);
  return {};
}

Status TakeUser(const Kubeconfig& config, const Json& user, Credentials& credentials) {
  return config
      .Refuse(user, {"exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups",
                     "as-user-extra"})
      .and_then([&] {
        return Take(config.Pem(user, "client-certificate"), credentials.client_certificate_pem);
      })
      .and_then([&] { return Take(config.Pem(user, "client-key"), credentials.client_key_pem); })
      .and_then([&]() -> Status {
        if (credentials.client_certificate_pem.empty() == credentials.client_key_pem.empty()) {
          return {};
        }
        return config.Wrong("client-certificate and client-key belong together; one is missing");
      })
      .and_then([&] { return Take(config.Text(user, "token"), credentials.token); })
      .and_then([&] { return TakeTokenFile(config, user, credentials); });
}

Result<Kubeconfig> Load(const std::filesystem::path& path) {
  const auto text = base::ReadFile(path, kMaxFileBytes);
  if (!text) return tl::unexpected(text.error());
  api::YamlResult parsed = api::ParseYaml(*text, {kMaxFileBytes, 32, 100'000});
  if (!parsed.problems.empty()) {
    const base::Problem& problem = parsed.problems.front();
    return MakeError(ErrorKind::kInvalidInput, path.string() + ":" + std::to_string(problem.line) +
                                                   ": " + problem.path + " " + problem.message);
  }
  if (parsed.documents.size() != 1 || !parsed.documents.front().root.is_object()) {
    return MakeError(ErrorKind::kInvalidInput, path.string() + ": is no kubeconfig");
  }
  return Kubeconfig(path, std::move(parsed.documents.front().root));
}

Result<std::string> CurrentContext(const Kubeconfig& config) {
  auto current = config.Text(config.root(), "current-context");
  if (current && current->empty()) return config.Wrong("names no current-context");
  return current;
}

// An IPv6 address is no host that cpprestsdk can connect to; the certificate names this one too.
std::string ServiceHost(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "kubernetes.default.svc";
}

}  // namespace

Result<Credentials> ReadKubeconfig(const std::filesystem::path& path, const std::string& context) {
  const auto config = Load(path);
  if (!config) return tl::unexpected(config.error());
  const auto name = context.empty() ? CurrentContext(*config) : Result<std::string>(context);
  if (!name) return tl::unexpected(name.error());
  const auto chosen = config->Entry("contexts", "context", *name);
  if (!chosen) return tl::unexpected(chosen.error());

  Credentials credentials;
  const Status taken =
      config->Text(*chosen, "cluster")
          .and_then([&](const std::string& it) { return config->Entry("clusters", "cluster", it); })
          .and_then([&](const Json& it) { return TakeCluster(*config, it, credentials); })
          .and_then([&] { return config->Text(*chosen, "user"); })
          .and_then([&](const std::string& it) { return config->Entry("users", "user", it); })
          .and_then([&](const Json& it) { return TakeUser(*config, it, credentials); })
          .and_then([&] { return Take(config->Text(*chosen, "namespace"), credentials.ns); });
  if (!taken) return tl::unexpected(taken.error());
  if (credentials.ns.empty()) credentials.ns = "default";
  return credentials;
}

Result<Credentials> ReadServiceAccount(
    const std::function<std::optional<std::string>(const char*)>& environment,
    const std::filesystem::path& folder) {
  const auto host = environment("KUBERNETES_SERVICE_HOST");
  const auto port = environment("KUBERNETES_SERVICE_PORT");
  if (!host || host->empty() || !port || port->empty()) {
    return MakeError(ErrorKind::kNotFound,
                     "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is no "
                     "pod; name a kubeconfig");
  }
  Credentials credentials;
  credentials.server = "https://" + ServiceHost(*host) + ":" + *port;
  credentials.token_file = folder / "token";
  const Status taken = Take(base::ReadFile(folder / "ca.crt", kMaxFileBytes), credentials.ca_pem);
  if (!taken) return tl::unexpected(taken.error());
  const auto token = base::ReadFile(credentials.token_file, kMaxFileBytes);
  if (!token) return tl::unexpected(token.error());
  const auto ns = base::ReadFile(folder / "namespace", kMaxFileBytes);
  if (!ns) return tl::unexpected(ns.error());
  credentials.ns = WithoutSpace(*ns);
  return credentials;
}

}  // namespace fairlap::kube

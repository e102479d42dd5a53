// Who we are to the API server, and how we know that it is the right one: from a kubeconfig or from
// the pod's service account.
#ifndef FAIRLAP_OPERATOR_KUBE_CREDENTIALS_H_
#define FAIRLAP_OPERATOR_KUBE_CREDENTIALS_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "lib/base/result.h"

namespace fairlap::kube {

struct Credentials {
  std::string server;                                  // "https://10.96.0.1:443"
  std::string ca_pem;                                  // "" trusts no certificate (or http://)
  std::string client_certificate_pem, client_key_pem;  // both or none
  std::string token;                                   // "" if none
  std::filesystem::path token_file;  // read again when it changes: service account tokens rotate
  std::string ns = "default";        // of the context, or of the pod
};

// The current context (or `context`) of a kubeconfig: inline data and files (relative to the
// kubeconfig), client certificates and tokens. What is not supported (exec plugins, auth providers,
// insecure-skip-tls-verify, proxy-url) is refused by name.
base::Result<Credentials> ReadKubeconfig(const std::filesystem::path& path,
                                         const std::string& context = "");

// From KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT and the files in `folder`.
base::Result<Credentials> ReadServiceAccount(
    const std::function<std::optional<std::string>(const char*)>& environment,
    const std::filesystem::path& folder = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_CREDENTIALS_H_

// Whom we trust and who we are, as OpenSSL wants it.
#ifndef FAIRLAP_OPERATOR_KUBE_TLS_H_
#define FAIRLAP_OPERATOR_KUBE_TLS_H_

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::kube {

// Immutable; thread-safe.
class TlsIdentity {
 public:
  // PEM texts; `certificate` (its chain may follow) and `key` may be empty, both of them. An empty
  // `ca` trusts nobody. kInvalidInput where a text cannot be used.
  static base::Result<TlsIdentity> Make(const std::string& ca, const std::string& certificate,
                                        const std::string& key);

  // TLS 1.2 or later, our CA and no other, our certificate if we have one. Throws
  // std::runtime_error if OpenSSL refuses.
  void Apply(SSL_CTX* context) const;

 private:
  template <auto kFree>
  struct Free {
    template <class T>
    void operator()(T* object) const {
      kFree(object);
    }
  };
  using Store = std::unique_ptr<X509_STORE, Free<X509_STORE_free>>;
  using Certificate = std::unique_ptr<X509, Free<X509_free>>;
  using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;

  static base::Result<std::vector<Certificate>> ReadCertificates(const std::string& pem,
                                                                 const std::string& what);
  static base::Result<Key> ReadKey(const std::string& pem);

  Store trusted_;
  std::vector<Certificate> chain_;  // ours first
  Key key_;
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_TLS_H_

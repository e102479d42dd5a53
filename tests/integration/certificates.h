// Certificates for tests, made on the spot.
#ifndef FAIRLAP_TESTS_INTEGRATION_CERTIFICATES_H_
#define FAIRLAP_TESTS_INTEGRATION_CERTIFICATES_H_

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace fairlap::kube {

struct Identity {
  std::string certificate_pem, key_pem;
};

class Authority {
 public:
  Authority();

  const std::string& pem() const { return pem_; }
  // For "IP:127.0.0.1" or "DNS:name"; good for servers and clients, for an hour.
  Identity Issue(const std::string& alternative_name) const;

 private:
  std::shared_ptr<EVP_PKEY> key_;
  std::shared_ptr<X509> certificate_;
  std::string pem_;
};

bool Use(SSL_CTX* context, const Identity& identity);
bool Trust(SSL_CTX* context, const std::string& ca_pem);

}  // namespace fairlap::kube

#endif  // FAIRLAP_TESTS_INTEGRATION_CERTIFICATES_H_

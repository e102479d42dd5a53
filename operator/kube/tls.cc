#include "operator/kube/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <stdexcept>
#include <utility>

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::MakeError;

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

Bio Open(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

// OpenSSL would ask the terminal.
int NoPassword(char*, int, int, void*) { return 0; }

void Require(bool success, const char* what) {
  if (success) return;
  ERR_clear_error();
  throw std::runtime_error(std::string("TLS: ") + what);
}

}  // namespace

base::Result<std::vector<TlsIdentity::Certificate>> TlsIdentity::ReadCertificates(
    const std::string& pem, const std::string& what) {
  const Bio bio = Open(pem);
  std::vector<Certificate> certificates;
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, NoPassword, nullptr)) {
    certificates.emplace_back(certificate);
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (!certificates.empty() && at_end) return certificates;
  return MakeError(ErrorKind::kInvalidInput, "the " + what + " is no PEM certificate");
}

base::Result<TlsIdentity::Key> TlsIdentity::ReadKey(const std::string& pem) {
  const Bio bio = Open(pem);
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassword, nullptr));
  ERR_clear_error();
  if (key) return key;
  return MakeError(ErrorKind::kInvalidInput,
                   "the client key is no PEM key, or one with a password");
}

base::Result<TlsIdentity> TlsIdentity::Make(const std::string& ca, const std::string& certificate,
                                            const std::string& key) {
  TlsIdentity identity;
  identity.trusted_.reset(X509_STORE_new());
  if (!ca.empty()) {
    const auto authorities = ReadCertificates(ca, "certificate authority");
    if (!authorities) return tl::unexpected(authorities.error());
    for (const Certificate& it : *authorities)
      X509_STORE_add_cert(identity.trusted_.get(), it.get());
  }
  if (certificate.empty()) return identity;
  auto chain = ReadCertificates(certificate, "client certificate");
  if (!chain) return tl::unexpected(chain.error());
  identity.chain_ = std::move(*chain);
  auto own_key = ReadKey(key);
  if (!own_key) return tl::unexpected(own_key.error());
  identity.key_ = std::move(*own_key);
  if (X509_check_private_key(identity.chain_.front().get(), identity.key_.get()) == 1) {
    return identity;
  }
  ERR_clear_error();
  return MakeError(ErrorKind::kInvalidInput, "the client key does not belong to the certificate");
}

void TlsIdentity::Apply(SSL_CTX* context) const {
  Require(SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1, "version 1.2 is refused");
  // cpprestsdk has put the system's authorities into the store that this one replaces.
  SSL_CTX_set1_cert_store(context, trusted_.get());
  if (chain_.empty()) return;
  Require(SSL_CTX_use_certificate(context, chain_.front().get()) == 1, "the client certificate");
  Require(SSL_CTX_use_PrivateKey(context, key_.get()) == 1, "the client key");
  for (size_t i = 1; i < chain_.size(); ++i) {
    Require(SSL_CTX_add1_chain_cert(context, chain_[i].get()) == 1, "the certificate's chain");
  }
}

}  // namespace fairlap::kube

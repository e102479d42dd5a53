#include "tests/integration/certificates.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <cstdint>

namespace fairlap::kube {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

Key MakeKey() { return {EVP_EC_gen("P-256"), &EVP_PKEY_free}; }

std::string Text(const Bio& bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<size_t>(size)};
}

std::string ToPem(const Certificate& certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_X509(bio.get(), certificate.get());
  return Text(bio);
}

std::string ToPem(const Key& key) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return Text(bio);
}

void AddExtension(X509* certificate, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Certificate MakeUnsigned(const Key& key, const std::string& name) {
  Certificate certificate(X509_new(), &X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  uint32_t serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial / 2 + 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_pubkey(certificate.get(), key.get());
  return certificate;
}

// Authorities of one name would be taken for each other.
std::string MakeSuffix() {
  static std::atomic<int> count = 0;
  return std::to_string(++count);
}

Bio Open(const std::string& pem) {
  return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free};
}

Certificate ReadCertificate(const std::string& pem) {
  return {PEM_read_bio_X509(Open(pem).get(), nullptr, nullptr, nullptr), &X509_free};
}

}  // namespace

Authority::Authority()
    : key_(MakeKey()), certificate_(MakeUnsigned(key_, "fairlap test CA " + MakeSuffix())) {
  X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
  AddExtension(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  X509_sign(certificate_.get(), key_.get(), EVP_sha256());
  pem_ = ToPem(certificate_);
}

Identity Authority::Issue(const std::string& alternative_name) const {
  const Key key = MakeKey();
  const Certificate certificate = MakeUnsigned(key, "fairlap test");
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate_.get()));
  AddExtension(certificate.get(), NID_subject_alt_name, alternative_name);
  X509_sign(certificate.get(), key_.get(), EVP_sha256());
  return {ToPem(certificate), ToPem(key)};
}

bool Use(SSL_CTX* context, const Identity& identity) {
  const Key key(PEM_read_bio_PrivateKey(Open(identity.key_pem).get(), nullptr, nullptr, nullptr),
                &EVP_PKEY_free);
  const Certificate certificate = ReadCertificate(identity.certificate_pem);
  return SSL_CTX_use_certificate(context, certificate.get()) == 1 &&
         SSL_CTX_use_PrivateKey(context, key.get()) == 1;
}

bool Trust(SSL_CTX* context, const std::string& ca_pem) {
  return X509_STORE_add_cert(SSL_CTX_get_cert_store(context), ReadCertificate(ca_pem).get()) == 1;
}

}  // namespace fairlap::kube

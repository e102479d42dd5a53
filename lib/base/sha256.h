// SHA-256, for fingerprints and identities.
#ifndef FAIRLAP_LIB_BASE_SHA256_H_
#define FAIRLAP_LIB_BASE_SHA256_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fairlap::base {

// Not thread-safe. Add any number of pieces, then take the digest once.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Add(std::string_view bytes);
  void Add(std::span<const uint8_t> bytes);
  std::string HexDigest();  // 64 lower-case digits; nothing may be added after it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Sha256Hex(std::string_view bytes);

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_SHA256_H_

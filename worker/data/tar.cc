#include "worker/data/tar.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace fairlap::data {
namespace {

constexpr size_t kNameBytes = 100, kPrefixBytes = 155, kPrefixAt = 345;

// A path as a header holds it: prefix + "/" + name, or the name alone.
struct SplitPath {
  std::string_view prefix, name;
};

std::optional<SplitPath> Split(std::string_view path) {
  if (path.size() <= kNameBytes) return SplitPath{"", path};
  const size_t slash = path.find('/', path.size() - kNameBytes - 1);
  if (slash == std::string_view::npos || slash > kPrefixBytes) return std::nullopt;
  return SplitPath{path.substr(0, slash), path.substr(slash + 1)};
}

class Header {
 public:
  Header(const SplitPath& path, char type, int64_t size) {
    block_.fill('\0');
    Put(0, path.name);
    Put(100, "0000644");
    Put(108, "0000000");
    Put(116, "0000000");
    PutOctal(124, 11, size);
    Put(136, "00000000000");
    block_[156] = type;
    Put(257, std::string_view("ustar\00000", 8));
    Put(kPrefixAt, path.prefix);
    PutChecksum();
  }

  std::string_view bytes() const { return {block_.data(), block_.size()}; }

 private:
  void Put(size_t at, std::string_view text) {
    std::memcpy(block_.data() + at, text.data(), text.size());
  }
  void PutOctal(size_t at, int digits, int64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(value));
    Put(at, text);
  }
  // Over the block with blanks in the checksum's place.
  void PutChecksum() {
    Put(148, "        ");
    int64_t sum = 0;
    for (const char byte : block_) sum += static_cast<uint8_t>(byte);
    PutOctal(148, 6, sum);
    block_[154] = '\0';
  }

  std::array<char, kTarBlockBytes> block_;
};

// "27 path=..." and a line end, where 27 is the length of it all.
std::string PaxPath(const std::string& path) {
  const std::string rest = " path=" + path + "\n";
  size_t size = rest.size();
  while (size != rest.size() + std::to_string(size).size()) {
    size = rest.size() + std::to_string(size).size();
  }
  return std::to_string(size) + rest;
}

}  // namespace

int64_t TarPadding(int64_t size) {
  return (kTarBlockBytes - size % kTarBlockBytes) % kTarBlockBytes;
}

std::string TarHeader(const std::string& path, int64_t size) {
  if (const auto split = Split(path)) return std::string(Header(*split, '0', size).bytes());
  const std::string pax = PaxPath(path);
  const SplitPath cut{"", std::string_view(path).substr(0, kNameBytes)};
  std::string bytes(Header({"", "pax"}, 'x', std::ssize(pax)).bytes());
  bytes += pax;
  bytes.append(static_cast<size_t>(TarPadding(std::ssize(pax))), '\0');
  bytes += Header(cut, '0', size).bytes();
  return bytes;
}

}  // namespace fairlap::data

#include "lib/base/encoding.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <new>

namespace fairlap::base {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, with a gzip header
constexpr int kMemoryLevel = 8;       // zlib's default

Bytef* BytesOf(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib does not write there
}

}  // namespace

std::string ToBase64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // OpenSSL ends it with a NUL
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(length));
  return text;
}

Result<std::string> FromBase64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length = text.size() % 4 != 0
                         ? -1
                         : EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                           reinterpret_cast<const unsigned char*>(text.data()),
                                           static_cast<int>(text.size()));
  if (length < 0) return MakeError(ErrorKind::kInvalidInput, "is not base64");
  size_t padding = 0;  // which OpenSSL decodes to zero bytes
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.resize(static_cast<size_t>(length) - padding);
  // OpenSSL skips white space at the ends and ignores bits; whoever wrote this did neither.
  if (ToBase64(bytes) != text) return MakeError(ErrorKind::kInvalidInput, "is not base64");
  return bytes;
}

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = BytesOf(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = BytesOf(out);
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);  // the bound makes it complete
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<std::string> Gunzip(std::string_view bytes, int64_t max_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  stream.next_in = BytesOf(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  char buffer[1 << 14];
  int result = Z_OK;
  while (result == Z_OK && static_cast<int64_t>(out.size()) <= max_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    result = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof buffer - stream.avail_out);
  }
  const bool whole = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (static_cast<int64_t>(out.size()) > max_bytes) {
    return MakeError(ErrorKind::kInvalidInput, "is larger than the " + std::to_string(max_bytes) +
                                                   " bytes allowed here when unpacked");
  }
  if (!whole) return MakeError(ErrorKind::kInvalidInput, "is not gzip, or is cut");
  return out;
}

}  // namespace fairlap::base

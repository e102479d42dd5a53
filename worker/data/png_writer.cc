#include "worker/data/png_writer.h"

#include <zlib.h>

#include <algorithm>
#include <string_view>

namespace fairlap::data {
namespace {

using std::string_view_literals::operator""sv;

constexpr size_t kMaxStored = 65'535;  // bytes a stored block of deflate can hold (RFC 1951, 3.2.4)

void AppendBigEndian(std::string& out, uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> shift & 0xff);
  }
}

const Bytef* BytesOf(std::string_view text) { return reinterpret_cast<const Bytef*>(text.data()); }

void AppendChunk(std::string& out, std::string_view type, std::string_view content) {
  AppendBigEndian(out, content.size(), 4);
  const size_t start = out.size();
  out += type;
  out += content;
  const std::string_view covered = std::string_view(out).substr(start);
  AppendBigEndian(out, crc32_z(0, BytesOf(covered), covered.size()), 4);
}

// A zlib stream (RFC 1950) that holds `bytes` as they are.
std::string Store(std::string_view bytes) {
  std::string stream = "\x78\x01";
  std::string_view rest = bytes;
  do {
    const std::string_view block = rest.substr(0, kMaxStored);
    rest.remove_prefix(block.size());
    const auto length = static_cast<uint16_t>(block.size());
    const auto inverse = static_cast<uint16_t>(~length);
    stream += static_cast<char>(rest.empty() ? 1 : 0);  // the last one?
    for (const uint16_t value : {length, inverse}) {
      stream += static_cast<char>(value & 0xff);
      stream += static_cast<char>(value >> 8);
    }
    stream += block;
  } while (!rest.empty());
  AppendBigEndian(stream, adler32_z(1, BytesOf(bytes), bytes.size()), 4);
  return stream;
}

}  // namespace

std::string MakeStoredPng(int64_t width, int64_t height, std::span<const uint16_t> pixels) {
  std::string header;
  AppendBigEndian(header, static_cast<uint64_t>(width), 4);
  AppendBigEndian(header, static_cast<uint64_t>(height), 4);
  header += "\x10\0\0\0\0"sv;  // 16 bits, grayscale, the one compression and filter, no interlace
  std::string rows;
  rows.reserve(static_cast<size_t>(height * (2 * width + 1)));
  for (int64_t y = 0; y < height; ++y) {
    rows += '\0';  // unfiltered
    for (const uint16_t value :
         pixels.subspan(static_cast<size_t>(y * width), static_cast<size_t>(width))) {
      AppendBigEndian(rows, value, 2);
    }
  }
  std::string file = "\x89PNG\r\n\x1a\n";
  AppendChunk(file, "IHDR", header);
  AppendChunk(file, "IDAT", Store(rows));
  AppendChunk(file, "IEND", "");
  return file;
}

}  // namespace fairlap::data

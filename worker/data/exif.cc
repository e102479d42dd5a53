#include "worker/data/exif.h"

#include <cstring>
#include <optional>

namespace fairlap::data {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr uint8_t kApp1 = 0xe1, kStartOfScan = 0xda, kEndOfImage = 0xd9;

uint32_t BigEndian16(Bytes bytes, size_t at) {
  return static_cast<uint32_t>(bytes[at]) << 8 | bytes[at + 1];
}

// A TIFF structure, the payload of the Exif segment, in either byte order.
class Tiff {
 public:
  explicit Tiff(Bytes bytes) : bytes_(bytes), little_(bytes.size() > 0 && bytes[0] == 'I') {}

  std::optional<uint32_t> Read16(size_t at) const {
    if (at + 2 > bytes_.size()) return std::nullopt;
    const uint32_t first = bytes_[at], second = bytes_[at + 1];
    return little_ ? second << 8 | first : first << 8 | second;
  }

  std::optional<uint32_t> Read32(size_t at) const {
    const auto first = Read16(at), second = Read16(at + 2);
    if (!first || !second) return std::nullopt;
    return little_ ? *second << 16 | *first : *first << 16 | *second;
  }

 private:
  Bytes bytes_;
  bool little_;
};

int OrientationInTiff(Bytes bytes) {
  const Tiff tiff(bytes);
  const auto directory = tiff.Read32(4);
  if (!directory) return 1;
  const auto entries = tiff.Read16(*directory);
  if (!entries) return 1;
  for (size_t i = 0; i < *entries; ++i) {
    const size_t entry = size_t{*directory} + 2 + 12 * i;
    const auto tag = tiff.Read16(entry);
    if (!tag) return 1;
    if (*tag != 0x0112) continue;
    const uint32_t value = tiff.Read16(entry + 8).value_or(1);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace

int ExifOrientation(Bytes jpeg) {
  constexpr char kSignature[6] = {'E', 'x', 'i', 'f', 0, 0};
  size_t at = 2;
  while (at + 4 <= jpeg.size() && jpeg[at] == 0xff) {
    const uint8_t marker = jpeg[at + 1];
    if (marker == kStartOfScan || marker == kEndOfImage) return 1;
    const size_t length = BigEndian16(jpeg, at + 2);  // counts its own two bytes
    if (length < 2 || at + 2 + length > jpeg.size()) return 1;
    const Bytes payload = jpeg.subspan(at + 4, length - 2);
    if (marker == kApp1 && payload.size() > sizeof kSignature &&
        std::memcmp(payload.data(), kSignature, sizeof kSignature) == 0) {
      return OrientationInTiff(payload.subspan(sizeof kSignature));
    }
    at += 2 + length;
  }
  return 1;
}

Orientation MakeOrientation(int exif) {
  return {.transpose = exif >= 5,
          .flip_x = exif == 2 || exif == 3 || exif == 6 || exif == 7,
          .flip_y = exif == 3 || exif == 4 || exif == 7 || exif == 8};
}

}  // namespace fairlap::data

#include "worker/data/gray_image.h"

#include <algorithm>
#include <iterator>

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;
using std::string_view_literals::operator""sv;

enum class Container { kNone, kPng, kTiff };

struct Signature {
  std::string_view bytes;
  Container container;
};

constexpr Signature kSignatures[] = {
    {"\x89PNG\r\n\x1a\n"sv, Container::kPng},
    {"II*\0"sv, Container::kTiff},
    {"MM\0*"sv, Container::kTiff},
    {"II+\0"sv, Container::kTiff},  // BigTIFF
    {"MM\0+"sv, Container::kTiff},
};

// A file cut off in its signature is still told by what there is of it.
Container ContainerOf(std::span<const uint8_t> file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  const auto* found = std::ranges::find_if(kSignatures, [bytes](const Signature& signature) {
    return signature.bytes.starts_with(bytes.substr(0, signature.bytes.size()));
  });
  return found == std::end(kSignatures) ? Container::kNone : found->container;
}

}  // namespace

base::Result<GrayImage> DecodeGray(std::span<const uint8_t> file, GrayBuffers& buffers) {
  if (file.empty()) return MakeError(ErrorKind::kInvalidInput, "is empty");
  switch (ContainerOf(file)) {
    case Container::kPng: return DecodePng(file, buffers);
    case Container::kTiff: return DecodeTiff(file, buffers);
    case Container::kNone: break;
  }
  return MakeError(ErrorKind::kInvalidInput, "is not a PNG or TIFF file");
}

base::Status CheckGrayHeader(const GrayHeader& header) {
  std::string reason;
  if (header.palette) {
    reason = "a palette image; expected grayscale";
  } else if (header.channels != 1) {
    reason = "a " + std::to_string(header.channels) + "-channel image; expected grayscale";
  } else if (header.bits != 8 && header.bits != 16) {
    reason = std::to_string(header.bits) + " bits a pixel; expected 8 or 16";
  } else if (header.width < 1 || header.height < 1) {
    reason = "has no pixels";
  } else if (header.width > kMaxGrayEdge || header.height > kMaxGrayEdge ||
             header.width * header.height * (header.bits / 8) > kMaxGrayBytes) {
    reason = "has " + std::to_string(header.width) + " x " + std::to_string(header.height) +
             " pixels, more than can be decoded";
  } else {
    return {};
  }
  return MakeError(ErrorKind::kInvalidInput, reason);
}

std::string BrokenReason(std::string_view format, std::string_view library_words) {
  std::string reason = "broken " + std::string(format) + ": ";
  for (const char c : library_words) reason += c >= ' ' && c <= '~' ? c : '?';
  return reason;
}

}  // namespace fairlap::data

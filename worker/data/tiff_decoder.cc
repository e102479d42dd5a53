#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include "worker/data/gray_image.h"

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;

struct OptionsDeleter {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};
struct TiffDeleter {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, TiffDeleter>;

// ---- the file, as libtiff wants to see one ----

struct TiffSource {
  std::span<const uint8_t> file;
  uint64_t position = 0;
  bool passed_end = false;  // more was asked for than there is
  char reason[160] = "";    // the first that libtiff gave
};

TiffSource& SourceOf(thandle_t handle) { return *static_cast<TiffSource*>(handle); }

tmsize_t ReadBytes(thandle_t handle, void* out, tmsize_t size) {
  TiffSource& source = SourceOf(handle);
  const uint64_t left =
      source.file.size() - std::min<uint64_t>(source.position, source.file.size());
  const uint64_t count = std::min<uint64_t>(left, static_cast<uint64_t>(size));
  if (count < static_cast<uint64_t>(size)) source.passed_end = true;
  if (count > 0) std::memcpy(out, source.file.data() + source.position, count);
  source.position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t RefuseToWrite(thandle_t /*handle*/, void* /*bytes*/, tmsize_t /*size*/) { return 0; }

toff_t Seek(thandle_t handle, toff_t offset, int whence) {
  TiffSource& source = SourceOf(handle);
  const uint64_t from = whence == SEEK_SET   ? 0
                        : whence == SEEK_CUR ? source.position
                                             : source.file.size();
  source.position = from + offset;  // wherever that is, a read there ends at the file's end
  return source.position;
}

int Close(thandle_t /*handle*/) { return 0; }
toff_t Size(thandle_t handle) { return SourceOf(handle).file.size(); }

int KeepReason(TIFF* /*tiff*/, void* data, const char* /*module*/, const char* format,
               va_list arguments) {
  TiffSource& source = SourceOf(data);
  if (source.reason[0] == '\0') {
    std::vsnprintf(source.reason, sizeof source.reason, format, arguments);
  }
  return 1;  // dealt with: the process's own handler is not called
}

int Ignore(TIFF* /*tiff*/, void* /*data*/, const char* /*module*/, const char* /*format*/,
           va_list /*arguments*/) {
  return 1;
}

TiffHandle Open(TiffSource& source) {
  const std::unique_ptr<TIFFOpenOptions, OptionsDeleter> options(TIFFOpenOptionsAlloc());
  if (options == nullptr) return nullptr;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMaxGrayBytes);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), KeepReason, &source);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), Ignore, nullptr);
  // 'm': no mapping, so that every byte comes through ReadBytes.
  return TiffHandle(TIFFClientOpenExt("", "rm", &source, ReadBytes, RefuseToWrite, Seek, Close,
                                      Size, nullptr, nullptr, options.get()));
}

tl::unexpected<base::Error> Failure(const TiffSource& source) {
  return MakeError(ErrorKind::kInvalidInput, source.passed_end
                                                 ? std::string("truncated TIFF")
                                                 : BrokenReason("TIFF", source.reason));
}

// ---- the header ----

template <class T>
T Field(TIFF* tiff, uint32_t tag, T absent) {
  T value = absent;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : absent;
}

// Those of libtiff's codecs that keep pixels as they are and can stand any input.
bool IsReadCompression(uint16_t compression) {
  constexpr uint16_t kRead[] = {COMPRESSION_NONE,          COMPRESSION_LZW,
                                COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
                                COMPRESSION_PACKBITS,      COMPRESSION_ZSTD};
  return std::ranges::find(kRead, compression) != std::end(kRead);
}

GrayHeader HeaderOf(TIFF* tiff) {
  return {.width = Field<uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0),
          .height = Field<uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0),
          .bits = Field<uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1),
          .channels = Field<uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1),
          .palette = Field<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) ==
                     PHOTOMETRIC_PALETTE};
}

base::Status CheckRest(TIFF* tiff) {
  const auto photometric = Field<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  const auto sample = Field<uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  const auto compression = Field<uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  std::string reason;
  if (photometric == PHOTOMETRIC_MINISWHITE) {
    reason = "0 stands for white; expected 0 for black";
  } else if (photometric != PHOTOMETRIC_MINISBLACK) {
    reason = "colours of kind " + std::to_string(photometric) + "; expected grayscale";
  } else if (sample != SAMPLEFORMAT_UINT && sample != SAMPLEFORMAT_VOID) {
    reason = "signed or floating-point pixels; expected unsigned ones";
  } else if (!IsReadCompression(compression)) {
    reason = "TIFF compression " + std::to_string(compression) +
             "; expected none, LZW, Deflate, PackBits or Zstandard";
  } else if (TIFFLastDirectory(tiff) == 0) {
    reason = "a stack of several pages; expected one image";
  } else {
    return {};
  }
  return MakeError(ErrorKind::kInvalidInput, reason);
}

// ---- pixels ----

struct Target {
  int64_t width = 0, height = 0, bytes_per_pixel = 1;
  uint8_t* pixels = nullptr;
  int64_t stride() const { return width * bytes_per_pixel; }
};

bool ReadStrips(TIFF* tiff, const Target& target) {
  const int64_t rows_each =
      std::min<int64_t>(Field<uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, UINT32_MAX), target.height);
  if (rows_each < 1 || TIFFScanlineSize64(tiff) != static_cast<uint64_t>(target.stride())) {
    return false;
  }
  uint32_t strip = 0;
  for (int64_t row = 0; row < target.height; row += rows_each, ++strip) {
    const tmsize_t size = std::min(rows_each, target.height - row) * target.stride();
    uint8_t* rows = target.pixels + row * target.stride();
    if (TIFFReadEncodedStrip(tiff, strip, rows, size) != size) return false;
  }
  return true;
}

bool ReadTiles(TIFF* tiff, const Target& target, storage::ByteBuffer& buffer) {
  const int64_t width = Field<uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
  const int64_t height = Field<uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
  const tmsize_t size = TIFFTileSize(tiff);
  if (width < 1 || height < 1 || width > kMaxGrayEdge || height > kMaxGrayEdge ||
      size > kMaxGrayBytes || size != width * height * target.bytes_per_pixel) {
    return false;
  }
  uint8_t* tile = buffer.Reserve(static_cast<size_t>(size)).data();
  uint32_t number = 0;  // row after row of tiles, as TIFF 6.0 has them
  for (int64_t y = 0; y < target.height; y += height) {
    for (int64_t x = 0; x < target.width; x += width, ++number) {
      if (TIFFReadEncodedTile(tiff, number, tile, size) != size) return false;
      const auto row_bytes =
          static_cast<size_t>(std::min(width, target.width - x) * target.bytes_per_pixel);
      for (int64_t row = 0; row < std::min(height, target.height - y); ++row) {
        std::memcpy(target.pixels + (y + row) * target.stride() + x * target.bytes_per_pixel,
                    tile + row * width * target.bytes_per_pixel, row_bytes);
      }
    }
  }
  return true;
}

}  // namespace

base::Result<GrayImage> DecodeTiff(std::span<const uint8_t> file, GrayBuffers& buffers) {
  TiffSource source{.file = file};
  const TiffHandle tiff = Open(source);
  if (tiff == nullptr) return Failure(source);
  const GrayHeader header = HeaderOf(tiff.get());
  base::Status fit = CheckGrayHeader(header);
  if (fit) fit = CheckRest(tiff.get());
  if (!fit) return tl::unexpected(fit.error());
  Target target{header.width, header.height, header.bits / 8};
  const std::span<uint8_t> pixels =
      buffers.pixels.Reserve(static_cast<size_t>(target.height * target.stride()));
  target.pixels = pixels.data();
  const bool ok = TIFFIsTiled(tiff.get()) != 0 ? ReadTiles(tiff.get(), target, buffers.tile)
                                               : ReadStrips(tiff.get(), target);
  // Where a tag is cut off, libtiff may go on without it.
  if (!ok || source.passed_end) return Failure(source);
  return GrayImage{target.width, target.height, target.bytes_per_pixel, pixels};
}

}  // namespace fairlap::data

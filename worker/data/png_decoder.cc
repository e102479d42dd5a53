#include <png.h>

#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "worker/data/gray_image.h"

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr char kTruncated[] = "truncated PNG";
constexpr png_alloc_size_t kMaxChunkBytes = 1 << 20;  // of what is not pixels

// One image's decoding. libpng keeps no object for the next one, but its memory is small.
class PngReader {
 public:
  explicit PngReader(std::span<const uint8_t> file) : rest_(file) {}
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  base::Result<GrayHeader> ReadHeader();
  base::Status ReadPixels(const GrayHeader& header, uint8_t* pixels);

 private:
  static void ReadBytes(png_structp png, png_bytep out, size_t size);
  [[noreturn]] static void OnError(png_structp png, png_const_charp reason);
  static void OnWarning(png_structp /*png*/, png_const_charp /*reason*/) {}

  // False if libpng gave up. `call` must own nothing: a failure jumps over its frames.
  template <class Call>
  bool Guarded(Call call) {
    if (setjmp(jump_) != 0) return false;
    call();
    return true;
  }

  void Start();
  tl::unexpected<base::Error> Failure() const;

  std::span<const uint8_t> rest_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_;
  char reason_[128] = "";
};

void PngReader::ReadBytes(png_structp png, png_bytep out, size_t size) {
  auto& reader = *static_cast<PngReader*>(png_get_io_ptr(png));
  if (size > reader.rest_.size()) png_error(png, kTruncated);
  std::memcpy(out, reader.rest_.data(), size);
  reader.rest_ = reader.rest_.subspan(size);
}

void PngReader::OnError(png_structp png, png_const_charp reason) {
  auto& reader = *static_cast<PngReader*>(png_get_error_ptr(png));
  std::snprintf(reader.reason_, sizeof reader.reason_, "%s", reason);
  std::longjmp(reader.jump_, 1);
}

tl::unexpected<base::Error> PngReader::Failure() const {
  return MakeError(ErrorKind::kInvalidInput, std::strcmp(reason_, kTruncated) == 0
                                                 ? std::string(kTruncated)
                                                 : BrokenReason("PNG", reason_));
}

void PngReader::Start() {
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, OnError, OnWarning);
  if (png_ != nullptr) info_ = png_create_info_struct(png_);
  if (info_ == nullptr) return;
  png_set_read_fn(png_, this, ReadBytes);
  png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // ours have better words
  png_set_chunk_malloc_max(png_, kMaxChunkBytes);
  // Profiles, texts and the like are skipped unread.
  png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
}

base::Result<GrayHeader> PngReader::ReadHeader() {
  GrayHeader header;
  bool started = false;
  const bool ok = Guarded([&] {
    Start();
    started = info_ != nullptr;
    if (!started) return;
    png_read_info(png_, info_);
    const int colours = png_get_color_type(png_, info_);
    header = {.width = png_get_image_width(png_, info_),
              .height = png_get_image_height(png_, info_),
              .bits = png_get_bit_depth(png_, info_),
              .channels = png_get_channels(png_, info_),
              .palette = colours == PNG_COLOR_TYPE_PALETTE};
  });
  if (!ok) return Failure();
  if (!started) return MakeError(ErrorKind::kInternal, "libpng has no memory left");
  return header;
}

base::Status PngReader::ReadPixels(const GrayHeader& header, uint8_t* pixels) {
  const int64_t stride = header.width * (header.bits / 8);
  const bool ok = Guarded([&] {
    if (header.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
    const int passes = png_set_interlace_handling(png_);
    png_start_read_image(png_);
    for (int pass = 0; pass < passes; ++pass) {
      for (int64_t y = 0; y < header.height; ++y) {
        png_read_row(png_, pixels + y * stride, nullptr);
      }
    }
    png_read_end(png_, nullptr);
  });
  if (!ok) return Failure();
  return {};
}

}  // namespace

base::Result<GrayImage> DecodePng(std::span<const uint8_t> file, GrayBuffers& buffers) {
  PngReader reader(file);
  const base::Result<GrayHeader> header = reader.ReadHeader();
  if (!header) return tl::unexpected(header.error());
  const base::Status fit = CheckGrayHeader(*header);
  if (!fit) return tl::unexpected(fit.error());
  const int64_t bytes = header->width * header->height * (header->bits / 8);
  const std::span<uint8_t> pixels = buffers.pixels.Reserve(static_cast<size_t>(bytes));
  const base::Status read = reader.ReadPixels(*header, pixels.data());
  if (!read) return tl::unexpected(read.error());
  return GrayImage{header->width, header->height, header->bits / 8, pixels};
}

}  // namespace fairlap::data

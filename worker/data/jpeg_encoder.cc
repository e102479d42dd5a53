#include "worker/data/jpeg_encoder.h"

#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// jpeglib.h needs the two above.
#include <jpeglib.h>

namespace fairlap::data {
namespace {

constexpr int kQuality = 90;

struct Encoder {
  jpeg_compress_struct info{};
  jpeg_error_mgr manager{};
  std::jmp_buf jump;
  char reason[JMSG_LENGTH_MAX] = {};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
};

[[noreturn]] void OnError(j_common_ptr info) {
  auto* encoder = static_cast<Encoder*>(info->client_data);
  info->err->format_message(info, encoder->reason);
  std::longjmp(encoder->jump, 1);
}

// Owns nothing itself: a failure jumps over its frame.
void Compress(Encoder& encoder, const RgbImage& image) {
  jpeg_compress_struct& info = encoder.info;
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &encoder.bytes, &encoder.size);
  info.image_width = static_cast<JDIMENSION>(image.width);
  info.image_height = static_cast<JDIMENSION>(image.height);
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, kQuality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<JSAMPROW>(image.At(0, info.next_scanline));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
}

bool TryCompress(Encoder& encoder, const RgbImage& image) {
  if (setjmp(encoder.jump) != 0) return false;
  Compress(encoder, image);
  return true;
}

}  // namespace

RgbImage MakeRgbImage(int64_t width, int64_t height) {
  return {width, height, std::vector<uint8_t>(static_cast<size_t>(3 * width * height))};
}

base::Result<std::string> EncodeJpeg(const RgbImage& image) {
  Encoder encoder;
  encoder.info.err = jpeg_std_error(&encoder.manager);
  encoder.info.client_data = &encoder;
  encoder.manager.error_exit = OnError;
  const bool ok = TryCompress(encoder, image);
  std::string bytes;
  if (ok) bytes.assign(reinterpret_cast<const char*>(encoder.bytes), encoder.size);
  jpeg_destroy_compress(&encoder.info);
  std::free(encoder.bytes);
  if (!ok) return base::MakeError(base::ErrorKind::kInternal, encoder.reason);
  return bytes;
}

}  // namespace fairlap::data

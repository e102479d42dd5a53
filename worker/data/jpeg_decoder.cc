#include "worker/data/jpeg_decoder.h"

#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <new>
#include <string>

// jpeglib.h needs the two above.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr int kMaxScans = 256;  // a few bytes of each scan cost a pass over the whole image

// A pixel of a converted row depends on the chroma sample beside it, which may be two pixels away.
constexpr int64_t kUpsamplingMargin = 2;

struct ErrorState {
  jpeg_error_mgr manager;  // first, so that a pointer to it is a pointer to this
  std::jmp_buf jump;
  char reason[JMSG_LENGTH_MAX];
};

ErrorState* StateOf(j_common_ptr info) { return reinterpret_cast<ErrorState*>(info->err); }

[[noreturn]] void Fail(j_common_ptr info, const char* reason) {
  ErrorState* state = StateOf(info);
  std::snprintf(state->reason, sizeof state->reason, "%s", reason);
  std::longjmp(state->jump, 1);
}

[[noreturn]] void OnError(j_common_ptr info) {
  switch (info->err->msg_code) {
    case JERR_NO_SOI: Fail(info, "is not a JPEG file");
    case JERR_INPUT_EOF: Fail(info, "truncated JPEG");
    default: break;
  }
  char reason[JMSG_LENGTH_MAX];
  info->err->format_message(info, reason);
  Fail(info, reason);
}

// libjpeg only warns of missing data and paints the rest gray.
void OnMessage(j_common_ptr info, int level) {
  if (level >= 0) return;
  if (info->err->msg_code == JWRN_JPEG_EOF || info->err->msg_code == JWRN_HIT_MARKER) {
    Fail(info, "truncated JPEG");
  }
}

void OnProgress(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxScans) {
    Fail(info, "has too many scans");
  }
}

// Rows below the rectangle are not decoded, so their absence would go unnoticed. Entropy-coded data
// cannot hold this marker.
bool HasEndOfImage(const jpeg_source_mgr& source) {
  for (size_t end = source.bytes_in_buffer; end >= 2; --end) {
    const JOCTET* marker = source.next_input_byte + end - 2;
    if (marker[0] == 0xff && marker[1] == JPEG_EOI) return true;
  }
  return false;
}

uint8_t Multiply255(int a, int b) { return static_cast<uint8_t>((a * b + 127) / 255); }

// Adobe's writers store the inks inverted, that is 255 for no ink.
void CmykToRgb(uint8_t* row, int64_t width, bool inverted) {
  const int mask = inverted ? 0 : 255;
  for (uint8_t* pixel = row; pixel < row + 4 * width; pixel += 4) {
    const int light = pixel[3] ^ mask;
    for (int c = 0; c < 3; ++c) pixel[c] = Multiply255(pixel[c] ^ mask, light);
  }
}

bool IsCmyk(const jpeg_decompress_struct& info) {
  return info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
}

}  // namespace

struct JpegDecoder::State {
  jpeg_decompress_struct info{};
  ErrorState error{};
  jpeg_progress_mgr progress{};

  // False if libjpeg gave up. `call` must own nothing: a failure jumps over its frames.
  template <class Call>
  bool Guarded(Call call) {
    if (setjmp(error.jump) != 0) return false;
    call();
    return true;
  }

  tl::unexpected<base::Error> Failure() {
    jpeg_abort_decompress(&info);
    return MakeError(ErrorKind::kInvalidInput, error.reason);
  }
};

JpegDecoder::JpegDecoder() : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.info.err = jpeg_std_error(&state.error.manager);
  state.error.manager.error_exit = OnError;
  state.error.manager.emit_message = OnMessage;
  state.progress.progress_monitor = OnProgress;
  // The only thing that can fail here is memory.
  if (!state.Guarded([&state] { jpeg_create_decompress(&state.info); })) throw std::bad_alloc();
  state.info.progress = &state.progress;
}

JpegDecoder::~JpegDecoder() { jpeg_destroy_decompress(&state_->info); }

base::Result<JpegSize> JpegDecoder::Open(std::span<const uint8_t> file) {
  if (file.empty()) return MakeError(ErrorKind::kInvalidInput, "is empty");
  State& state = *state_;
  const bool ok = state.Guarded([&state, file] {
    jpeg_mem_src(&state.info, file.data(), file.size());
    jpeg_read_header(&state.info, TRUE);
    if (!HasEndOfImage(*state.info.src)) {
      Fail(reinterpret_cast<j_common_ptr>(&state.info), "truncated JPEG");
    }
  });
  if (!ok) return state.Failure();
  const JpegSize size{state.info.image_width, state.info.image_height};
  if (size.width * size.height > kMaxJpegPixels) {
    Finish();
    return MakeError(ErrorKind::kInvalidInput, "has " + std::to_string(size.width) + " x " +
                                                   std::to_string(size.height) +
                                                   " pixels, more than can be decoded");
  }
  return size;
}

base::Result<PixelRect> JpegDecoder::Start(const PixelRect& rect, int eighths) {
  State& state = *state_;
  jpeg_decompress_struct& info = state.info;
  info.scale_num = static_cast<unsigned>(eighths);
  info.scale_denom = 8;
  info.out_color_space = IsCmyk(info) ? JCS_CMYK : JCS_EXT_RGBX;
  const int64_t left = std::max<int64_t>(0, rect.x - kUpsamplingMargin);
  JDIMENSION x = static_cast<JDIMENSION>(left);
  JDIMENSION width = 0;
  const bool ok = state.Guarded([&] {
    jpeg_start_decompress(&info);
    const int64_t right =
        std::min<int64_t>(info.output_width, rect.x + rect.width + kUpsamplingMargin);
    width = static_cast<JDIMENSION>(right - left);
    if (width < info.output_width) jpeg_crop_scanline(&info, &x, &width);
    if (rect.y > 0) jpeg_skip_scanlines(&info, static_cast<JDIMENSION>(rect.y));
  });
  if (!ok) return state.Failure();
  return PixelRect{x, rect.y, width, rect.height};
}

base::Status JpegDecoder::ReadRow(uint8_t* row) {
  State& state = *state_;
  JSAMPROW rows[1] = {row};
  if (!state.Guarded([&] { jpeg_read_scanlines(&state.info, rows, 1); })) return state.Failure();
  if (state.info.out_color_space == JCS_CMYK) {
    CmykToRgb(row, state.info.output_width, state.info.saw_Adobe_marker != 0);
  }
  return {};
}

void JpegDecoder::Finish() { jpeg_abort_decompress(&state_->info); }

}  // namespace fairlap::data

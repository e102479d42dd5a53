// Bytes as text that survives logs and JSON, and small.
#ifndef FAIRLAP_LIB_BASE_ENCODING_H_
#define FAIRLAP_LIB_BASE_ENCODING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace fairlap::base {

// RFC 4648, with padding, without line breaks.
std::string ToBase64(std::string_view bytes);
// kInvalidInput for anything but complete base64 as ToBase64 writes it.
Result<std::string> FromBase64(std::string_view text);

// RFC 1952, the same bytes for the same input (no time stamp).
std::string Gzip(std::string_view bytes);
// kInvalidInput for what is no gzip, is cut, or would be larger than `max_bytes`.
Result<std::string> Gunzip(std::string_view bytes, int64_t max_bytes);

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_ENCODING_H_

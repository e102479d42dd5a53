#include "lib/base/result.h"

namespace fairlap::base {

std::string_view Name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalidInput: return "invalidInput";
    case ErrorKind::kUnavailable: return "unavailable";
    case ErrorKind::kNotFound: return "notFound";
    case ErrorKind::kConflict: return "conflict";
    case ErrorKind::kDenied: return "denied";
    case ErrorKind::kGone: return "gone";
    case ErrorKind::kIo: return "io";
    case ErrorKind::kOutOfMemory: return "outOfMemory";
    case ErrorKind::kDiverged: return "diverged";
    case ErrorKind::kInterrupted: return "interrupted";
    case ErrorKind::kInternal: return "internal";
  }
  return "internal";
}

}  // namespace fairlap::base

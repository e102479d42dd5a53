// The one result type: a value, or an Error that says what is wrong, where, and what to do.
#ifndef FAIRLAP_LIB_BASE_RESULT_H_
#define FAIRLAP_LIB_BASE_RESULT_H_

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace fairlap::base {

// What went wrong, coarse enough to decide retries, exit codes and metric labels.
enum class ErrorKind {
  kInvalidInput,  // the user's file, flag or data is wrong; a retry cannot help
  kUnavailable,   // valid, but this version or this machine does not offer it
  kNotFound,      // a named file, claim or object does not exist
  kConflict,      // something of that name is already there and is not ours
  kDenied,        // the other side knows us and refuses: permissions, quota, admission
  kGone,          // what was asked for is too old to be served: start anew
  kIo,            // the operating system refused a read or a write
  kOutOfMemory,   // of the host, its control group or a device
  kDiverged,      // training gave a loss that is not a finite number
  kInterrupted,   // stopped on request
  kInternal,      // a library failed in a way we did not foresee
};

// "invalidInput", "io", ...: used in logs and metric labels.
std::string_view Name(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;  // one sentence for a person; no trailing newline
};

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

inline tl::unexpected<Error> MakeError(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_RESULT_H_

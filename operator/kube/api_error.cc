#include "operator/kube/api_error.h"

#include <cstdint>
#include <string>

#include "lib/base/text.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;

constexpr size_t kMaxMessageBytes = 4096;
constexpr size_t kMaxExcerptBytes = 256;  // of a body that is no Status

ErrorKind KindOf(int64_t code) {
  switch (code) {
    case 401:
    case 403: return ErrorKind::kDenied;
    case 404: return ErrorKind::kNotFound;
    case 409: return ErrorKind::kConflict;
    case 410: return ErrorKind::kGone;
    case 429: return ErrorKind::kIo;
    default: break;
  }
  if (code >= 500) return ErrorKind::kIo;
  return code >= 400 ? ErrorKind::kInvalidInput : ErrorKind::kInternal;
}

std::string Text(const Json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// The message of the Status in the body, or the beginning of what else is there.
std::string MessageOf(const std::string& body) {
  const auto status = base::ParseJson(body, "the answer");
  if (status && status->is_object()) {
    if (const std::string message = Text(*status, "message"); !message.empty()) return message;
  }
  const size_t end = body.find_last_not_of(" \r\n");
  if (end == std::string::npos) return "refused without a message";
  return base::Cut(std::string_view(body).substr(0, end + 1), kMaxExcerptBytes);
}

std::string Sentence(const std::string& message, const std::string& where) {
  return base::Printable(base::Cut(message, kMaxMessageBytes)) + " (" + where + ")";
}

}  // namespace

base::Error MakeApiError(const HttpResponse& response, std::string_view method,
                         std::string_view path) {
  const std::string where = std::string(method) + " " +
                            std::string(path.substr(0, path.find('?'))) + ": " +
                            std::to_string(response.status);
  return {KindOf(response.status), Sentence(MessageOf(response.body), where)};
}

base::Error MakeEventError(const Json& status, std::string_view path) {
  const std::string where = "watching " + std::string(path.substr(0, path.find('?')));
  const auto code = status.find("code");
  const bool has_code = code != status.end() && code->is_number_integer();
  const std::string reason = Text(status, "reason");
  const bool expired = reason == "Expired" || reason == "Gone";
  const ErrorKind kind = expired    ? ErrorKind::kGone
                         : has_code ? KindOf(code->get<int64_t>())
                                    : ErrorKind::kInternal;
  return {kind, Sentence(Text(status, "message"), where)};
}

}  // namespace fairlap::kube

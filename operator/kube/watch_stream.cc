#include "operator/kube/watch_stream.h"

#include <utility>

#include "operator/kube/api_error.h"

namespace fairlap::kube {

using base::ErrorKind;
using base::Json;

bool WatchStream::Append(std::string_view piece) {
  while (!error_ && !piece.empty()) {
    const size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    if (line_.size() + part.size() > kMaxEventBytes) {
      return Fail(ErrorKind::kInternal, "an event is larger than 8 MiB");
    }
    if (end == std::string_view::npos) {
      line_ += part;
      break;
    }
    piece.remove_prefix(end + 1);
    if (line_.empty()) {
      TakeLine(part);
    } else {
      line_ += part;
      TakeLine(std::exchange(line_, {}));
    }
  }
  return !error_;
}

bool WatchStream::TakeLine(std::string_view line) {
  if (line.find_first_not_of(" \r\t") == std::string_view::npos) return true;
  auto event = base::ParseJson(line, "an event");
  if (!event) return Fail(ErrorKind::kInternal, event.error().message);
  if (!event->is_object()) return Fail(ErrorKind::kInternal, "an event is no object");
  const auto type = event->find("type");
  const auto object = event->find("object");
  if (type == event->end() || !type->is_string() || object == event->end() ||
      !object->is_object()) {
    return Fail(ErrorKind::kInternal, "an event has no type or no object");
  }
  if (*type == "ERROR") {
    error_ = MakeEventError(*object, path_);
    return false;
  }
  if (*type != "ADDED" && *type != "MODIFIED" && *type != "DELETED" && *type != "BOOKMARK") {
    return Fail(ErrorKind::kInternal, "an event is of an unknown type");
  }
  on_event_(type->get<std::string>(), std::move(*object));
  return true;
}

bool WatchStream::Fail(ErrorKind kind, std::string_view what) {
  error_ =
      base::Error{kind, std::string(what) + " (watching " + path_.substr(0, path_.find('?')) + ")"};
  return false;
}

}  // namespace fairlap::kube

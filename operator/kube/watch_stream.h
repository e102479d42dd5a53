// The body of a watch, piece by piece, into events.
#ifndef FAIRLAP_OPERATOR_KUBE_WATCH_STREAM_H_
#define FAIRLAP_OPERATOR_KUBE_WATCH_STREAM_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/json.h"
#include "lib/base/result.h"

namespace fairlap::kube {

inline constexpr size_t kMaxEventBytes = 8 << 20;

// Every byte is looked at once, however the pieces are cut.
class WatchStream {
 public:
  using OnEvent = std::function<void(const std::string& type, base::Json object)>;
  // `path` is what is watched, for errors. `on_event` must outlive this.
  WatchStream(std::string_view path, const OnEvent& on_event) : path_(path), on_event_(on_event) {}

  // False if the stream is to end: `error` says why.
  bool Append(std::string_view piece);
  const std::optional<base::Error>& error() const { return error_; }

 private:
  bool TakeLine(std::string_view line);
  bool Fail(base::ErrorKind kind, std::string_view what);

  std::string path_;
  const OnEvent& on_event_;
  std::string line_;  // its beginning
  std::optional<base::Error> error_;
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_WATCH_STREAM_H_

// The token that we show to the API server, up to date.
#ifndef FAIRLAP_OPERATOR_KUBE_BEARER_TOKEN_H_
#define FAIRLAP_OPERATOR_KUBE_BEARER_TOKEN_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

#include "lib/base/clock.h"

namespace fairlap::kube {

// Thread-safe.
class BearerToken {
 public:
  // With a file, `token` counts only until the file has been read. `clock` must outlive this.
  BearerToken(std::string token, std::filesystem::path file,
              const base::Clock& clock = base::SystemClock());

  // The file is read again when its time or size changed, and every 60 s in any case. While it
  // cannot be read the last token stays. "" if there is none.
  std::string Get();

 private:
  struct Stamp {
    std::filesystem::file_time_type time{};
    uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  void Refresh();

  const std::filesystem::path file_;
  const base::Clock& clock_;
  std::mutex mutex_;
  std::string token_;
  Stamp stamp_;
  base::SteadyTime read_at_{};
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_BEARER_TOKEN_H_

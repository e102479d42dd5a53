#include "operator/kube/bearer_token.h"

#include <cctype>
#include <system_error>
#include <utility>

#include "lib/base/file.h"

namespace fairlap::kube {
namespace {

constexpr int64_t kMaxBytes = 64 * 1024;
constexpr std::chrono::seconds kLongest{60};

}  // namespace

BearerToken::BearerToken(std::string token, std::filesystem::path file, const base::Clock& clock)
    : file_(std::move(file)), clock_(clock), token_(std::move(token)) {}

std::string BearerToken::Get() {
  const std::lock_guard lock(mutex_);
  if (!file_.empty()) Refresh();
  return token_;
}

void BearerToken::Refresh() {
  std::error_code error;
  Stamp stamp;
  stamp.time = std::filesystem::last_write_time(file_, error);
  if (!error) stamp.size = std::filesystem::file_size(file_, error);
  const auto now = clock_.Now();
  const bool unread = read_at_ == base::SteadyTime{};
  if (error || (!unread && stamp == stamp_ && now - read_at_ < kLongest)) return;
  auto text = base::ReadFile(file_, kMaxBytes);
  if (!text) return;
  // Anything else than a token's characters must not get into a header.
  std::erase_if(*text, [](unsigned char c) { return std::isgraph(c) == 0; });
  if (!text->empty()) token_ = std::move(*text);
  stamp_ = stamp;
  read_at_ = now;
}

}  // namespace fairlap::kube

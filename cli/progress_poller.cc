#include "cli/progress_poller.h"

#include <chrono>
#include <condition_variable>
#include <string>
#include <utility>

#include "lib/base/file.h"
#include "operator/kube/fetch_progress.h"

namespace fairlap::cli {
namespace {

constexpr std::chrono::milliseconds kInterval{250};
constexpr int64_t kMaxAddressBytes = 256;

// "" until the worker listens.
std::string ReadAddress(const std::filesystem::path& file) {
  auto text = base::ReadFile(file, kMaxAddressBytes);
  if (!text) return "";
  text->erase(text->find_last_not_of(" \r\n") + 1);
  return *text;
}

}  // namespace

ProgressPoller::ProgressPoller(std::filesystem::path address_file)
    : address_file_(std::move(address_file)),
      thread_([this](const std::stop_token& stop) { Poll(stop); }) {}

std::optional<api::Progress> ProgressPoller::Latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void ProgressPoller::Poll(const std::stop_token& stop) {
  std::condition_variable_any never;
  std::string address;
  while (!stop.stop_requested()) {
    if (address.empty()) address = ReadAddress(address_file_);
    base::Result<api::Progress> progress = tl::unexpected(base::Error{});
    if (!address.empty()) {
      progress = kube::FetchProgress("http://" + address + "/v1/progress", {}, stop);
    }
    std::unique_lock lock(mutex_);
    if (progress) latest_ = std::move(*progress);
    never.wait_for(lock, stop, kInterval, [] { return false; });
  }
}

}  // namespace fairlap::cli

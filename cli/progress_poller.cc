#include "cli/progress_poller.h"

#include <chrono>
#include <condition_variable>
#include <string>
#include <utility>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "lib/base/file.h"
#include "lib/base/json.h"
#include "operator/kube/http_get.h"

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

std::optional<api::Progress> Fetch(const std::string& address, const std::stop_token& stop) {
  const auto body = kube::HttpGet("http://" + address + "/v1/progress", {}, stop);
  if (!body) return std::nullopt;
  const auto json = base::ParseJson(*body, "progress");
  if (!json) return std::nullopt;
  api::Progress progress;
  base::Problems problems;
  base::Decode(*json, "", progress, problems, base::UnknownFields::kIgnore);
  return problems.empty() ? std::optional(std::move(progress)) : std::nullopt;
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
    auto progress = address.empty() ? std::nullopt : Fetch(address, stop);
    std::unique_lock lock(mutex_);
    if (progress) latest_ = std::move(progress);
    never.wait_for(lock, stop, kInterval, [] { return false; });
  }
}

}  // namespace fairlap::cli

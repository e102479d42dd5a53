// Asks a local worker how far it is, a few times a second, on a thread of its own.
#ifndef FAIRLAP_CLI_PROGRESS_POLLER_H_
#define FAIRLAP_CLI_PROGRESS_POLLER_H_

#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "lib/api/figures.h"

namespace fairlap::cli {

class ProgressPoller {
 public:
  // The worker writes its address ("127.0.0.1:41237") into the file once it listens.
  explicit ProgressPoller(std::filesystem::path address_file);
  // The destructor stops a request in flight and joins.

  // What the worker last said; nullopt before it has said anything. Any thread.
  std::optional<api::Progress> Latest() const;

 private:
  void Poll(const std::stop_token& stop);

  std::filesystem::path address_file_;
  mutable std::mutex mutex_;
  std::optional<api::Progress> latest_;
  std::jthread thread_;  // last: ends before what it uses
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_PROGRESS_POLLER_H_

// Keeps a store equal to what the API server holds of one kind: list, watch from there, on 410 list
// again; on errors wait (exponentially, with jitter, at most 30 s, and as long as the server asks
// for) and go on from where it was. What cannot be read is listed again too.
#ifndef FAIRLAP_OPERATOR_KUBE_WATCHER_H_
#define FAIRLAP_OPERATOR_KUBE_WATCHER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "operator/kube/client.h"
#include "operator/kube/store.h"

namespace fairlap::kube {

// What happened to the connection, for logs and metrics; any thread of the watcher's.
struct WatcherObserver {
  std::function<void(const Resource&, size_t objects)> listed;
  std::function<void(const Resource&)> watch_ended;  // by the server; not an error
  std::function<void(const Resource&, const base::Error&)> failed;
};

// The wait after the n-th failure in a row is between a half and the whole of first * 2^(n-1), at
// most `longest`; a watch that the server ends at once and without an event counts as one.
struct WatcherDelays {
  std::chrono::milliseconds first{500};
  std::chrono::milliseconds longest{30'000};
  uint64_t seed = 0;  // of the jitter; the kind is mixed in
};

// One thread, from construction to destruction (which ends it promptly, in the middle of a watch).
// All arguments must outlive it.
class Watcher {
 public:
  Watcher(const Resource& resource, ListOptions options, Client& client, Store& store,
          WatcherObserver observer, WatcherDelays delays = {});

  bool synced() const { return synced_; }  // true from the first complete list on

 private:
  void Run(const std::stop_token& stop);
  bool List(const std::stop_token& stop);
  bool Watch(const std::stop_token& stop);
  void OnEvent(const std::string& type, base::Json object);
  void Report(const base::Error& error, const std::stop_token& stop);

  const Resource& resource_;
  ListOptions options_;
  Client& client_;
  Store& store_;
  WatcherObserver observer_;
  WatcherDelays delays_;
  std::string version_;  // to watch from; "" where a list is needed
  int64_t events_ = 0;   // of the current watch
  std::atomic<bool> synced_ = false;
  std::jthread thread_;
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_WATCHER_H_

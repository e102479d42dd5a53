// The Kubernetes verbs that we use, on JSON documents. An answer that is no success becomes an
// Error with the API server's own message:
//   404 kNotFound; 409 kConflict; 401, 403 kDenied; 410 kGone; every other 4xx kInvalidInput;
//   429, 5xx and the network kIo (a retry may help); anything else kInternal.
#ifndef FAIRLAP_OPERATOR_KUBE_CLIENT_H_
#define FAIRLAP_OPERATOR_KUBE_CLIENT_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/json.h"
#include "lib/base/result.h"
#include "operator/kube/transport.h"

namespace fairlap::kube {

// A kind as the API server serves it.
struct Resource {
  std::string_view group_version;  // "v1", "batch/v1"
  std::string_view plural;         // "jobs"
  std::string_view kind;           // "Job"
};

inline constexpr Resource kBenchmarkRuns{"fairlap.dev/v1alpha1", "benchmarkruns", "BenchmarkRun"};
inline constexpr Resource kJobs{"batch/v1", "jobs", "Job"};
inline constexpr Resource kPods{"v1", "pods", "Pod"};
inline constexpr Resource kConfigMaps{"v1", "configmaps", "ConfigMap"};
inline constexpr Resource kClaims{"v1", "persistentvolumeclaims", "PersistentVolumeClaim"};
inline constexpr Resource kNodes{"v1", "nodes", "Node"};  // in no namespace: "" in its place
inline constexpr Resource kEvents{"v1", "events", "Event"};

// Those that we keep, by kind name; nullptr if it is none of ours.
const Resource* FindResource(std::string_view kind);

struct ListOptions {
  std::string ns = "";  // "": every namespace
  std::string label_selector = "", field_selector = "";
  int64_t limit = 500;  // a page
  bool operator==(const ListOptions&) const = default;
};

struct ListResult {
  std::vector<base::Json> items;
  std::string resource_version;
};

// Thread-safe; every call blocks until it is answered or `stop` is requested.
class Client {
 public:
  explicit Client(Transport& transport) : transport_(transport) {}

  base::Result<base::Json> Get(const Resource& resource, const std::string& ns,
                               const std::string& name, std::stop_token stop);
  // All pages of one consistent list. Every item has its kind and apiVersion. kGone if the list
  // expired twice while we were reading it.
  base::Result<ListResult> List(const Resource& resource, const ListOptions& options,
                                std::stop_token stop);
  // The namespace is the object's. Strict field validation.
  base::Result<base::Json> Create(const Resource& resource, const base::Json& object,
                                  std::stop_token stop, bool dry_run = false);
  // Background propagation; only the object with that UID ("" for any). One that is gone already is
  // a success.
  base::Status Delete(const Resource& resource, const std::string& ns, const std::string& name,
                      const std::string& uid, std::stop_token stop);
  // PUT of the status subresource; the object's resourceVersion must be the current one.
  base::Result<base::Json> ReplaceStatus(const Resource& resource, const base::Json& object,
                                         std::stop_token stop);
  // RFC 7386 merge patch of the object itself.
  base::Result<base::Json> Patch(const Resource& resource, const std::string& ns,
                                 const std::string& name, const base::Json& patch,
                                 std::stop_token stop);
  // The last `max_bytes` at most of what a container wrote; kIo unless it could be read to its end.
  base::Result<std::string> PodLog(const std::string& ns, const std::string& pod,
                                   const std::string& container, int64_t max_bytes,
                                   std::stop_token stop);

  // One watch connection from `resource_version` on, bookmarks allowed: `on_event` gets type
  // ("ADDED", "MODIFIED", "DELETED", "BOOKMARK") and object of each event, in the calling thread.
  // Returns when the server ends the watch, after 4 to 8 minutes (which, follows from the version),
  // or when nothing came for 2 minutes (success: go on from the last resourceVersion seen), kGone
  // if that version is too old (as a status or as an ERROR event: list again), or with the error.
  // An event of more than 8 MiB or that is no JSON object of such a type is kInternal.
  base::Status Watch(
      const Resource& resource, const ListOptions& options, const std::string& resource_version,
      const std::function<void(const std::string& type, base::Json object)>& on_event,
      std::stop_token stop);

  // The server asked us (Retry-After, of which 2 minutes count) to send nothing before; in the past
  // if it did not.
  base::SteadyTime not_before() const { return not_before_; }

 private:
  base::Result<HttpResponse> Call(const HttpRequest& request, const std::stop_token& stop);
  base::Result<base::Json> CallForJson(const HttpRequest& request, const std::stop_token& stop);
  base::Result<ListResult> ListPages(const Resource& resource, const ListOptions& options,
                                     const std::stop_token& stop);
  void HeedRetryAfter(const HttpResponse& response);

  Transport& transport_;
  std::atomic<base::SteadyTime> not_before_ = base::SteadyTime{};
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_CLIENT_H_

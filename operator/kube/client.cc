#include "operator/kube/client.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "lib/base/random.h"
#include "operator/kube/api_error.h"
#include "operator/kube/metadata.h"
#include "operator/kube/paths.h"
#include "operator/kube/watch_stream.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::Json;
using base::MakeError;
using base::Result;
using base::Status;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::array kResources{&kBenchmarkRuns, &kJobs, &kPods, &kConfigMaps, &kClaims, &kEvents};
constexpr seconds kShortestWatch{240}, kLongestWatch{480};
constexpr seconds kWatchMargin{30};  // for a server that does not end the watch itself
constexpr seconds kLogDeadline{60};
constexpr seconds kLongestPause{120};  // whatever a server in trouble asks for

bool IsSuccess(int status) { return status >= 200 && status < 300; }

// The server leaves both out of a list's items.
void AddType(const Resource& resource, Json& item) {
  if (!item.contains("kind")) item["kind"] = resource.kind;
  if (!item.contains("apiVersion")) item["apiVersion"] = resource.group_version;
}

// Appends a page to `list`; false if it is no list.
bool TakePage(const Resource& resource, Json page, ListResult& list) {
  const auto items = page.find("items");
  if (items == page.end() || !(items->is_array() || items->is_null())) return false;
  for (Json& item : *items) {
    if (!item.is_object()) return false;
    AddType(resource, item);
    list.items.push_back(std::move(item));
  }
  list.resource_version = Metadata(page, "resourceVersion");
  return true;
}

// Spreads the ends of watches that began together, the same way every time.
seconds WatchDuration(const Resource& resource, const std::string& version) {
  const std::hash<std::string_view> hash;
  base::Random random(base::MixSeeds(hash(resource.plural), hash(version)));
  return seconds(random.Between(kShortestWatch.count(), kLongestWatch.count()));
}

std::string WatchPath(const Resource& resource, const ListOptions& options,
                      const std::string& version, seconds duration) {
  return CollectionPath(resource, options.ns) +
         Query()
             .Add("watch", "1")
             .Add("allowWatchBookmarks", "true")
             .Add("resourceVersion", version)
             .Add("timeoutSeconds", std::to_string(duration.count()))
             .Add("labelSelector", options.label_selector)
             .Add("fieldSelector", options.field_selector)
             .text();
}

Json DeleteOptions(const std::string& uid) {
  Json options = {
      {"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"propagationPolicy", "Background"}};
  if (!uid.empty()) options["preconditions"] = {{"uid", uid}};
  return options;
}

// Invalid UTF-8 in one of our own documents must not end the program.
std::string ToText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

const Resource* FindResource(std::string_view kind) {
  const auto* const found = std::find_if(kResources.begin(), kResources.end(),
                                         [kind](const Resource* it) { return it->kind == kind; });
  return found == kResources.end() ? nullptr : *found;
}

void Client::HeedRetryAfter(const HttpResponse& response) {
  if (IsSuccess(response.status) || !response.retry_after) return;
  const base::SteadyTime until =
      std::chrono::steady_clock::now() + std::min(*response.retry_after, kLongestPause);
  base::SteadyTime known = not_before_;
  while (known < until && !not_before_.compare_exchange_weak(known, until)) {
  }
}

Result<HttpResponse> Client::Call(const HttpRequest& request, const std::stop_token& stop) {
  auto response = transport_.Send(request, stop);
  if (!response || IsSuccess(response->status)) return response;
  HeedRetryAfter(*response);
  return tl::unexpected(MakeApiError(*response, request.method, request.path));
}

Result<Json> Client::CallForJson(const HttpRequest& request, const std::stop_token& stop) {
  const auto response = Call(request, stop);
  if (!response) return tl::unexpected(response.error());
  auto json = base::ParseJson(response->body, request.method + " " + request.path);
  if (!json) return MakeError(ErrorKind::kInternal, json.error().message);
  if (json->is_object()) return json;
  return MakeError(ErrorKind::kInternal,
                   request.method + " " + request.path + ": the answer is no object");
}

Result<Json> Client::Get(const Resource& resource, const std::string& ns, const std::string& name,
                         std::stop_token stop) {
  HttpRequest request;
  request.path = ObjectPath(resource, ns, name);
  return CallForJson(request, stop);
}

Result<ListResult> Client::List(const Resource& resource, const ListOptions& options,
                                std::stop_token stop) {
  auto list = ListPages(resource, options, stop);
  if (list || list.error().kind != ErrorKind::kGone) return list;
  return ListPages(resource, options, stop);  // it expired between two pages
}

Result<ListResult> Client::ListPages(const Resource& resource, const ListOptions& options,
                                     const std::stop_token& stop) {
  ListResult list;
  std::string next;
  do {
    HttpRequest request;
    request.path = CollectionPath(resource, options.ns) +
                   Query()
                       .Add("limit", options.limit > 0 ? std::to_string(options.limit) : "")
                       .Add("labelSelector", options.label_selector)
                       .Add("fieldSelector", options.field_selector)
                       .Add("continue", next)
                       .text();
    auto page = CallForJson(request, stop);
    if (!page) return tl::unexpected(page.error());
    std::string following = Metadata(*page, "continue");
    if (!TakePage(resource, std::move(*page), list) || list.resource_version.empty() ||
        (!following.empty() && following == next)) {
      return MakeError(ErrorKind::kInternal, "GET " + request.path + ": the answer is no list");
    }
    next = std::move(following);
  } while (!next.empty());
  return list;
}

Result<Json> Client::Create(const Resource& resource, const Json& object, std::stop_token stop,
                            bool dry_run) {
  HttpRequest request;
  request.method = "POST";
  request.path =
      CollectionPath(resource, Metadata(object, "namespace")) +
      Query().Add("fieldValidation", "Strict").Add("dryRun", dry_run ? "All" : "").text();
  request.body = ToText(object);
  return CallForJson(request, stop);
}

Status Client::Delete(const Resource& resource, const std::string& ns, const std::string& name,
                      const std::string& uid, std::stop_token stop) {
  HttpRequest request;
  request.method = "DELETE";
  request.path = ObjectPath(resource, ns, name);
  request.body = ToText(DeleteOptions(uid));
  const auto response = Call(request, stop);
  if (response || response.error().kind == ErrorKind::kNotFound) return {};
  return tl::unexpected(response.error());
}

Result<Json> Client::ReplaceStatus(const Resource& resource, const Json& object,
                                   std::stop_token stop) {
  HttpRequest request;
  request.method = "PUT";
  request.path =
      ObjectPath(resource, Metadata(object, "namespace"), Metadata(object, "name"), "status");
  request.body = ToText(object);
  return CallForJson(request, stop);
}

Result<Json> Client::Patch(const Resource& resource, const std::string& ns, const std::string& name,
                           const Json& patch, std::stop_token stop) {
  HttpRequest request;
  request.method = "PATCH";
  request.path = ObjectPath(resource, ns, name);
  request.body = ToText(patch);
  request.content_type = "application/merge-patch+json";
  return CallForJson(request, stop);
}

Result<std::string> Client::PodLog(const std::string& ns, const std::string& pod,
                                   const std::string& container, int64_t max_bytes,
                                   std::stop_token stop) {
  StreamRequest request;
  request.path = ObjectPath(kPods, ns, pod, "log") + Query().Add("container", container).text();
  request.deadline = request.idle_timeout = kLogDeadline;
  const auto size = static_cast<size_t>(max_bytes);
  std::string log;
  // The server could give us the first bytes only; we are after the last.
  const auto keep_end = [&](std::string_view data) {
    log += data;
    if (log.size() > 2 * size) log.erase(0, log.size() - size);
    return true;
  };
  const auto response = transport_.Stream(request, keep_end, stop);
  if (!response) return tl::unexpected(response.error());
  if (response->status != 200) {
    HeedRetryAfter(*response);
    return tl::unexpected(MakeApiError(*response, "GET", request.path));
  }
  if (response->ended_by != StreamEnd::kServer) {
    return MakeError(ErrorKind::kIo, "GET " + request.path + ": not read to its end within " +
                                         std::to_string(kLogDeadline.count()) + " s");
  }
  if (log.size() > size) log.erase(0, log.size() - size);
  return log;
}

Status Client::Watch(const Resource& resource, const ListOptions& options,
                     const std::string& resource_version,
                     const std::function<void(const std::string& type, Json object)>& on_event,
                     std::stop_token stop) {
  const seconds duration = WatchDuration(resource, resource_version);
  StreamRequest request;
  request.path = WatchPath(resource, options, resource_version, duration);
  request.deadline = duration + kWatchMargin;
  WatchStream events(request.path, on_event);
  const auto response = transport_.Stream(
      request, [&events](std::string_view data) { return events.Append(data); }, stop);
  if (events.error()) return tl::unexpected(*events.error());
  if (!response) return tl::unexpected(response.error());
  if (response->status == 200) return {};
  HeedRetryAfter(*response);
  return tl::unexpected(MakeApiError(*response, "GET", request.path));
}

}  // namespace fairlap::kube

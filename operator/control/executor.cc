#include "operator/control/executor.h"

#include <chrono>

#include "lib/base/sha256.h"
#include "lib/base/text.h"
#include "operator/control/documents.h"
#include "operator/plan/labels.h"

namespace fairlap::control {
namespace {

using base::ErrorKind;
using base::Json;

constexpr size_t kMaxEventMessageBytes = 1024;  // Kubernetes' own limit
constexpr size_t kEventHashDigits = 16;

Applied Failed(base::Error error) {
  Applied applied;
  applied.status = tl::unexpected(std::move(error));
  return applied;
}

// Somebody created an object of that name before us: ourselves, before a crash, or a stranger.
Applied CheckOwner(const kube::Resource& resource, const Json& object, const plan::ObservedRun& run,
                   kube::Client& client, const std::stop_token& stop) {
  const auto there = client.Get(resource, run.ns, NameOf(object), stop);
  if (!there) return Failed(there.error());
  if (ControllerUid(*there) == run.uid) return {};
  Applied applied;
  applied.foreign = std::string(resource.kind) + " " + NameOf(object);
  return applied;
}

Applied Create(const Json& object, const plan::ObservedRun& run, kube::Client& client,
               const std::stop_token& stop) {
  const kube::Resource* resource = kube::FindResource(TextAt(object, "/kind"));
  if (resource == nullptr) {
    return Failed({ErrorKind::kInternal, TextAt(object, "/kind") + ": a kind we do not create"});
  }
  const auto created = client.Create(*resource, object, stop);
  if (created) return {};
  const base::Error& error = created.error();
  if (error.kind == ErrorKind::kConflict) return CheckOwner(*resource, object, run, client, stop);
  Applied applied;
  // kNotFound: the namespace, or the kind, is not there (any more).
  if (error.kind == ErrorKind::kDenied || error.kind == ErrorKind::kInvalidInput) {
    applied.refusal = plan::Refusal{error.message, error.kind == ErrorKind::kInvalidInput};
  } else {
    applied.status = tl::unexpected(error);
  }
  return applied;
}

Applied Delete(const plan::DeleteObject& object, const plan::ObservedRun& run, kube::Client& client,
               const std::stop_token& stop) {
  const kube::Resource* resource = kube::FindResource(object.kind);
  if (resource == nullptr) {
    return Failed({ErrorKind::kInternal, object.kind + ": a kind we do not delete"});
  }
  const base::Status deleted = client.Delete(*resource, run.ns, object.name, object.uid, stop);
  // Of another UID: the one that was meant is gone.
  if (deleted || deleted.error().kind == ErrorKind::kConflict) return {};
  return Failed(deleted.error());
}

std::string EventName(const plan::Event& event, const plan::ObservedRun& run,
                      const std::string& time) {
  base::Sha256 hash;
  hash.Add(run.uid + "\n" + event.reason + "\n" + event.message + "\n" + time);
  return run.name + "." + hash.HexDigest().substr(0, kEventHashDigits);
}

}  // namespace

Applied Apply(const std::vector<plan::Action>& actions, const plan::ObservedRun& run,
              kube::Client& client, std::stop_token stop) {
  for (const plan::Action& action : actions) {
    const auto* create = std::get_if<plan::CreateObject>(&action);
    Applied applied = create != nullptr
                          ? Create(create->object, run, client, stop)
                          : Delete(std::get<plan::DeleteObject>(action), run, client, stop);
    if (!applied.ok()) return applied;
  }
  return {};
}

base::Status SendEvent(const plan::Event& event, const plan::ObservedRun& run, base::WallTime now,
                       kube::Client& client, std::stop_token stop) {
  const std::string time =
      base::FormatTime(std::chrono::floor<std::chrono::seconds>(now)).substr(0, 19) + "Z";
  const Json object{
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata", Json{{"name", EventName(event, run, time)}, {"namespace", run.ns}}},
      {"involvedObject", Json{{"apiVersion", api::kApiVersion},
                              {"kind", api::kRunKind},
                              {"namespace", run.ns},
                              {"name", run.name},
                              {"uid", run.uid}}},
      {"type", event.type},
      {"reason", event.reason},
      {"message", base::Cut(event.message, kMaxEventMessageBytes)},
      {"source", Json{{"component", plan::kManagedByValue}}},
      {"reportingComponent", plan::kManagedByValue},
      {"firstTimestamp", time},
      {"lastTimestamp", time},
      {"count", 1}};
  const auto sent = client.Create(kube::kEvents, object, std::move(stop));
  if (sent || sent.error().kind == ErrorKind::kConflict) return {};
  return tl::unexpected(sent.error());
}

}  // namespace fairlap::control

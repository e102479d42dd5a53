#include "operator/control/observe.h"

#include <algorithm>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "operator/control/documents.h"
#include "operator/plan/labels.h"

namespace fairlap::control {
namespace {

using base::Json;
using plan::JobPhase;

struct RunBody {
  api::RunSpec spec;
  api::RunStatus status;
};

// Unknown fields are ignored: a newer version may have written them.
base::Status Decode(const Json& run, RunBody& body) {
  base::Problems problems;
  const Json* spec = At(run, "/spec");
  base::Decode(spec != nullptr ? *spec : Json::object(), "spec", body.spec, problems,
               base::UnknownFields::kIgnore);
  const Json* status = At(run, "/status");
  if (status != nullptr) {
    base::Decode(*status, "status", body.status, problems, base::UnknownFields::kIgnore);
  }
  if (problems.empty()) return {};
  return base::MakeError(base::ErrorKind::kInvalidInput,
                         problems[0].path + ": " + problems[0].message);
}

const Json* TrueCondition(const Json& object, const char* type) {
  const Json* condition = EntryAt(object, "/status/conditions", "type", type);
  return condition != nullptr && TextAt(*condition, "/status") == "True" ? condition : nullptr;
}

// The state of the worker's container: {"waiting": ...}, {"running": ...} or {"terminated": ...}.
const Json* ContainerState(const Json& pod) {
  const Json* status = EntryAt(pod, "/status/containerStatuses", "name", plan::kWorkerContainer);
  return status != nullptr ? At(*status, "/state") : nullptr;
}

// The newest event about an object of that name.
const Json* NewestWarning(const std::string& name, const std::vector<kube::Object>& warnings) {
  const Json* newest = nullptr;
  const auto time = [](const Json& event) {
    const std::string last = TextAt(event, "/lastTimestamp");
    return last.empty() ? TextAt(event, "/eventTime") : last;
  };
  for (const kube::Object& event : warnings) {
    if (TextAt(*event, "/involvedObject/name") != name) continue;
    if (newest == nullptr || time(*event) >= time(*newest)) newest = event.get();
  }
  return newest;
}

void Explain(const Json& from, plan::ObservedJob& job) {
  job.reason = TextAt(from, "/reason");
  job.message = TextAt(from, "/message");
}

void ExplainTermination(const Json& terminated, plan::ObservedJob& job) {
  const Json* code = At(terminated, "/exitCode");
  const std::string reason = TextAt(terminated, "/reason");
  job.reason = reason == "Error" || reason.empty() ? "WorkerFailed" : reason;
  job.message = "the worker's container ended with exit code " +
                (code != nullptr ? code->dump() : "unknown") +
                (reason.empty() ? "" : " (" + reason + ")");
  // What a container that is not ours, or that never got to write figures, left.
  const std::string left = TextAt(terminated, "/message");
  if (!left.empty() && !left.starts_with('{')) job.message += ": " + left;
}

// What a pod waits for: a node, an image, a volume.
void ExplainWaiting(const Json& pod, const std::vector<kube::Object>& warnings,
                    plan::ObservedJob& job) {
  const Json* scheduled = EntryAt(pod, "/status/conditions", "type", "PodScheduled");
  if (scheduled != nullptr && TextAt(*scheduled, "/status") == "False") {
    return Explain(*scheduled, job);
  }
  const Json* state = ContainerState(pod);
  const Json* waiting = state != nullptr ? At(*state, "/waiting") : nullptr;
  const std::string reason = waiting != nullptr ? TextAt(*waiting, "/reason") : "";
  if (!reason.empty() && reason != "ContainerCreating" && reason != "PodInitializing") {
    return Explain(*waiting, job);
  }
  if (const Json* warning = NewestWarning(NameOf(pod), warnings)) Explain(*warning, job);
}

void ReadPod(const Json& pod, const std::vector<kube::Object>& warnings, plan::ObservedJob& job) {
  const std::string node = TextAt(pod, "/spec/nodeName");
  if (!node.empty()) job.nodes = {node};
  if (const Json* scheduled = TrueCondition(pod, "PodScheduled")) {
    job.scheduled = TimeAt(*scheduled, "/lastTransitionTime");
  }
  const Json* state = ContainerState(pod);
  const Json* running = state != nullptr ? At(*state, "/running") : nullptr;
  const Json* terminated = state != nullptr ? At(*state, "/terminated") : nullptr;
  if (running != nullptr) {
    job.container_started = TimeAt(*running, "/startedAt");
    job.phase = JobPhase::kRunning;
  } else if (terminated != nullptr) {
    job.container_started = TimeAt(*terminated, "/startedAt");
    job.finished = TimeAt(*terminated, "/finishedAt");
    job.termination_message = TextAt(*terminated, "/message");
    job.phase = JobPhase::kRunning;  // until the Job itself has ended
    ExplainTermination(*terminated, job);
  } else {
    ExplainWaiting(pod, warnings, job);
  }
  // Evicted, preempted, refused by the kubelet: the pod says why, its container cannot.
  if (!TextAt(pod, "/status/reason").empty()) Explain(pod["status"], job);
}

void ReadEnd(const Json& job, plan::ObservedJob& seen) {
  const Json* complete = TrueCondition(job, "Complete");
  const Json* failed = TrueCondition(job, "Failed");
  if (complete == nullptr && failed == nullptr) return;
  seen.phase = complete != nullptr ? JobPhase::kSucceeded : JobPhase::kFailed;
  const Json& end = complete != nullptr ? *complete : *failed;
  if (!seen.finished) seen.finished = TimeAt(end, "/lastTransitionTime");
  if (complete != nullptr) {
    seen.reason.clear();
    seen.message.clear();
  } else if (seen.reason.empty()) {
    Explain(end, seen);
  }
}

// "demo-w1-1-x7k2p" without its last `count` parts.
std::string WithoutParts(std::string name, int count) {
  for (int i = 0; i < count; ++i) {
    const size_t dash = name.rfind('-');
    if (dash == name.npos || dash == 0) return "";
    name.resize(dash);
  }
  return name;
}

// The run whose job or pod an event is about, if its name is made like ours.
std::string RunOfEvent(const Json& event) {
  const std::string kind = TextAt(event, "/involvedObject/kind");
  std::string job = TextAt(event, "/involvedObject/name");
  if (kind == "Pod") job = WithoutParts(std::move(job), 1);
  if (kind != "Pod" && kind != "Job") return "";
  const std::string without_end = WithoutParts(job, 1);
  return job.ends_with("-populate") ? without_end : WithoutParts(without_end, 1);
}

}  // namespace

base::Result<plan::ObservedRun> ReadRun(const Json& document) {
  RunBody body;
  const base::Status decoded = Decode(document, body);
  if (!decoded) return tl::unexpected(decoded.error());
  plan::ObservedRun run;
  run.name = NameOf(document);
  run.ns = NamespaceOf(document);
  run.uid = UidOf(document);
  const Json* generation = At(document, "/metadata/generation");
  if (generation != nullptr && generation->is_number_integer()) {
    run.generation = generation->get<int64_t>();
  }
  run.created = TimeAt(document, "/metadata/creationTimestamp").value_or(base::WallTime{});
  run.deleting = At(document, "/metadata/deletionTimestamp") != nullptr;
  run.spec = std::move(body.spec);
  run.status = std::move(body.status);
  return run;
}

plan::ObservedJob ReadJob(const Json& document, const std::vector<kube::Object>& pods,
                          const std::vector<kube::Object>& warnings, const std::string& run_uid) {
  plan::ObservedJob job;
  job.name = NameOf(document);
  job.uid = UidOf(document);
  job.owned = ControllerUid(document) == run_uid;
  job.created = TimeAt(document, "/metadata/creationTimestamp");
  if (const Json* suspended = EntryAt(document, "/status/conditions", "type", "Suspended")) {
    const bool waits = TextAt(*suspended, "/status") == "True";
    if (waits) job.reason = "Suspended";
    if (!waits) job.admitted = TimeAt(*suspended, "/lastTransitionTime");
  }
  if (const kube::Object pod = PodOf(document, pods)) {
    ReadPod(*pod, warnings, job);
  } else if (const Json* warning = NewestWarning(job.name, warnings)) {
    Explain(*warning, job);  // no pod could be created: quota, admission
  }
  ReadEnd(document, job);
  return job;
}

kube::Object PodOf(const Json& job, const std::vector<kube::Object>& pods) {
  const std::string uid = UidOf(job);
  kube::Object newest;
  const auto created = [](const Json& pod) { return TextAt(pod, "/metadata/creationTimestamp"); };
  for (const kube::Object& pod : pods) {
    if (ControllerUid(*pod) != uid) continue;
    if (!newest || created(*pod) >= created(*newest)) newest = pod;
  }
  return newest;
}

std::optional<std::string> ProgressUrl(const Json& pod, int64_t port) {
  const Json* state = ContainerState(pod);
  const std::string address = TextAt(pod, "/status/podIP");
  if (state == nullptr || At(*state, "/running") == nullptr || address.empty()) return std::nullopt;
  const bool v6 = address.find(':') != address.npos;
  return "http://" + (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port) +
         "/v1/progress";
}

std::optional<std::string> RunKeyOf(const Json& object) {
  std::string run;
  if (TextAt(object, "/kind") == api::kRunKind) {
    run = NameOf(object);
  } else if (At(object, "/involvedObject") != nullptr) {
    run = RunOfEvent(object);
  } else {
    run = TextAt(object, "/metadata/labels/fairlap.dev~1run");
  }
  if (run.empty()) return std::nullopt;
  return NamespaceOf(object) + "/" + run;
}

}  // namespace fairlap::control

#include <string>
#include <utility>
#include <vector>

#include "lib/base/codec.h"
#include "operator/plan/labels.h"
#include "operator/plan/pod.h"

namespace fairlap::plan {
namespace {

using base::Json;

// The nodes of the first repeat that ran: every later one runs there too.
std::vector<std::string> PinnedNodes(const ObservedRun& run, const Repeat& repeat) {
  for (const api::RepeatStatus& other : run.status.repeats) {
    if (other.name == repeat.name) break;
    std::vector<std::string> nodes;
    for (const api::AttemptStatus& attempt : other.attempts) {
      if (attempt.marks.container_started && !attempt.nodes.empty()) nodes = attempt.nodes;
    }
    if (!nodes.empty()) return nodes;
  }
  return {};
}

Json MakeNodeAffinity(const ObservedRun& run, const Repeat& repeat) {
  Json expressions = Json::array();
  for (const api::NodeExpression& expression : run.spec.compute.node_affinity) {
    expressions.push_back(base::Encode(expression));
  }
  const std::vector<std::string> pinned = PinnedNodes(run, repeat);
  if (!pinned.empty()) {
    expressions.push_back(Json{{"key", kHostnameLabel}, {"operator", "In"}, {"values", pinned}});
  }
  if (expressions.empty()) return nullptr;
  Json term{{"matchExpressions", std::move(expressions)}};
  return Json{{"requiredDuringSchedulingIgnoredDuringExecution",
               Json{{"nodeSelectorTerms", Json::array({std::move(term)})}}}};
}

// The pods of one attempt, relative to each other.
Json MakePodTerms(const ObservedRun& run, const Repeat& repeat) {
  Json term{{"labelSelector", Json{{"matchLabels", MakeLabels(run, repeat)}}},
            {"topologyKey", kHostnameLabel}};
  return Json{{"requiredDuringSchedulingIgnoredDuringExecution", Json::array({std::move(term)})}};
}

Json MakeAffinity(const ObservedRun& run, const Repeat& repeat) {
  Json affinity = Json::object();
  Json node = MakeNodeAffinity(run, repeat);
  if (!node.is_null()) affinity["nodeAffinity"] = std::move(node);
  switch (run.spec.compute.placement) {
    case api::Placement::kAny: break;
    case api::Placement::kPack: affinity["podAffinity"] = MakePodTerms(run, repeat); break;
    case api::Placement::kSpread: affinity["podAntiAffinity"] = MakePodTerms(run, repeat); break;
  }
  return affinity;
}

}  // namespace

void AddScheduling(const ObservedRun& run, const Repeat& repeat, Json& pod) {
  const api::ComputeSpec& compute = run.spec.compute;
  if (compute.priority_class_name) pod["priorityClassName"] = *compute.priority_class_name;
  if (compute.runtime_class_name) pod["runtimeClassName"] = *compute.runtime_class_name;
  if (!compute.node_selector.empty()) pod["nodeSelector"] = compute.node_selector;
  for (const api::Toleration& toleration : compute.tolerations) {
    pod["tolerations"].push_back(base::Encode(toleration));
  }
  Json affinity = MakeAffinity(run, repeat);
  if (!affinity.empty()) pod["affinity"] = std::move(affinity);
}

}  // namespace fairlap::plan

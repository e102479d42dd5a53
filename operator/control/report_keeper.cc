#include "operator/control/report_keeper.h"

#include <vector>

#include "lib/base/encoding.h"
#include "lib/report/log_report.h"
#include "operator/control/cluster_facts.h"
#include "operator/control/documents.h"
#include "operator/control/executor.h"
#include "operator/plan/labels.h"
#include "operator/plan/objects.h"

namespace fairlap::control {

using base::Json;

namespace {

// The packed report with the cluster's facts in it; as it was where it is none of this version's.
std::string WithClusterFacts(std::string packed, const Json& pod, kube::Client& client,
                             const std::stop_token& stop) {
  auto rank = report::Unpack(packed);
  if (!rank) return packed;
  const std::string node_name = TextAt(pod, "/spec/nodeName");
  base::Result<Json> node = base::MakeError(base::ErrorKind::kNotFound, "not on a node");
  if (!node_name.empty()) node = client.Get(kube::kNodes, "", node_name, stop);
  AddClusterFacts(pod, node ? &*node : nullptr, rank->environment);
  return report::Pack(*rank);
}

}  // namespace

std::string ReportName(const std::string& job) { return job + "-report"; }

Json MakeReportMap(const plan::ObservedRun& run, const std::string& job, std::string_view packed) {
  return Json{{"apiVersion", "v1"},
              {"kind", "ConfigMap"},
              {"metadata", plan::MakeMetadata(run, ReportName(job), plan::MakeRunLabels(run))},
              {"immutable", true},
              {"binaryData", Json{{report::kPackedReportKey, base::ToBase64(packed)}}}};
}

base::Result<std::string> KeepReport(const plan::ObservedRun& run, const std::string& job,
                                     const Json& pod, kube::Client& client, std::stop_token stop) {
  const auto log =
      client.PodLog(run.ns, NameOf(pod), plan::kWorkerContainer, report::kMaxLogBytes, stop);
  if (!log) return tl::unexpected(log.error());
  auto from_log = report::FromLog(*log);
  if (!from_log) return tl::unexpected(from_log.error());
  const std::string packed = WithClusterFacts(*std::move(from_log), pod, client, stop);
  const Applied applied =
      Apply({plan::CreateObject{MakeReportMap(run, job, packed)}}, run, client, std::move(stop));
  if (applied.ok()) return "configmap/" + ReportName(job);
  if (!applied.status) return tl::unexpected(applied.status.error());
  const std::string why =
      applied.refusal ? applied.refusal->message : *applied.foreign + " belongs to somebody else";
  return base::MakeError(base::ErrorKind::kInvalidInput, why);
}

}  // namespace fairlap::control

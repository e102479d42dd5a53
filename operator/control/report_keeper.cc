#include "operator/control/report_keeper.h"

#include <vector>

#include "lib/base/encoding.h"
#include "lib/report/log_report.h"
#include "operator/control/executor.h"
#include "operator/plan/labels.h"
#include "operator/plan/objects.h"

namespace fairlap::control {

using base::Json;

std::string ReportName(const std::string& job) { return job + "-report"; }

Json MakeReportMap(const plan::ObservedRun& run, const std::string& job, std::string_view packed) {
  return Json{{"apiVersion", "v1"},
              {"kind", "ConfigMap"},
              {"metadata", plan::MakeMetadata(run, ReportName(job), plan::MakeRunLabels(run))},
              {"immutable", true},
              {"binaryData", Json{{"report.json.gz", base::ToBase64(packed)}}}};
}

base::Result<std::string> KeepReport(const plan::ObservedRun& run, const std::string& job,
                                     const std::string& pod, kube::Client& client,
                                     std::stop_token stop) {
  const auto log = client.PodLog(run.ns, pod, plan::kWorkerContainer, report::kMaxLogBytes, stop);
  if (!log) return tl::unexpected(log.error());
  const auto packed = report::FromLog(*log);
  if (!packed) return tl::unexpected(packed.error());
  const Applied applied =
      Apply({plan::CreateObject{MakeReportMap(run, job, *packed)}}, run, client, std::move(stop));
  if (applied.ok()) return "configmap/" + ReportName(job);
  if (!applied.status) return tl::unexpected(applied.status.error());
  const std::string why =
      applied.refusal ? applied.refusal->message : *applied.foreign + " belongs to somebody else";
  return base::MakeError(base::ErrorKind::kInvalidInput, why);
}

}  // namespace fairlap::control

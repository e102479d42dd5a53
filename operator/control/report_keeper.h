// Saves a finished job's report out of its pod's log, before either goes.
#ifndef FAIRLAP_OPERATOR_CONTROL_REPORT_KEEPER_H_
#define FAIRLAP_OPERATOR_CONTROL_REPORT_KEEPER_H_

#include <optional>
#include <stop_token>
#include <string>

#include "lib/base/json.h"
#include "operator/kube/client.h"
#include "operator/plan/plan.h"

namespace fairlap::control {

// "<job>-report".
std::string ReportName(const std::string& job);

// v1 ConfigMap <job>-report: binaryData[report::kPackedReportKey] is the packed report. Immutable,
// owned by the run. Pure.
base::Json MakeReportMap(const plan::ObservedRun& run, const std::string& job,
                         std::string_view packed);

// Reads the log, adds what only the cluster knows to the report's environment (cluster_facts.h) and
// creates the ConfigMap; "configmap/<job>-report" once it is there. A node that cannot be read
// costs its facts alone. kNotFound or kInvalidInput if the log holds no whole report, and trying
// again cannot help; anything else may.
base::Result<std::string> KeepReport(const plan::ObservedRun& run, const std::string& job,
                                     const base::Json& pod, kube::Client& client,
                                     std::stop_token stop);

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_REPORT_KEEPER_H_

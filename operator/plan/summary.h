// The figures of all counted repeats in one. Definitions: docs/measurement.md, "Over repeats".
// Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_SUMMARY_H_
#define FAIRLAP_OPERATOR_PLAN_SUMMARY_H_

#include <optional>

#include "lib/api/spec.h"
#include "lib/api/status.h"

namespace fairlap::plan {

// nullopt until a counted repeat is over. A metric is absent if no counted repeat has it, but
// samples per second, which always says k of n.
std::optional<api::RunSummary> MakeSummary(const api::ComputeSpec& compute,
                                           const api::RunStatus& status);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_SUMMARY_H_

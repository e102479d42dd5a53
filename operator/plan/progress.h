// How far a run is. Pure, and of what was observed alone: time that merely passes changes nothing.
#ifndef FAIRLAP_OPERATOR_PLAN_PROGRESS_H_
#define FAIRLAP_OPERATOR_PLAN_PROGRESS_H_

#include <cstddef>
#include <optional>

#include "lib/api/status.h"
#include "lib/base/clock.h"

namespace fairlap::plan {

// `active`: the repeat that goes on, `worker`: what its worker serves. Percent and eta are of the
// whole run, every repeat weighing the same; the eta is absent until a worker has told one.
// updatedTime moves only if anything else does.
api::RunProgress MakeProgress(const api::RunStatus& status, std::optional<size_t> active,
                              const std::optional<api::Progress>& worker, base::WallTime now);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_PROGRESS_H_

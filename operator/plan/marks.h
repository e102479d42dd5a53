// The clock of one attempt: which marks are known, and the times and cost that follow from them.
// Definitions: docs/measurement.md, "Clock" and "Cost". Pure.
#ifndef FAIRLAP_OPERATOR_PLAN_MARKS_H_
#define FAIRLAP_OPERATOR_PLAN_MARKS_H_

#include <optional>
#include <string>

#include "lib/api/figures.h"
#include "lib/api/spec.h"
#include "operator/plan/plan.h"

namespace fairlap::plan {

// What was seen of the job replaces what `marks` holds; what was not seen is left alone.
void MergeJobTimes(const ObservedJob& job, api::ClockMarks& marks);

// The worker's marks fill what is still absent: the job's own times win. Texts that are no times
// are left out; returns false if there were any.
bool MergeWorkerMarks(const api::ClockMarks& worker, api::ClockMarks& marks);

// nullopt if either is absent or is no time.
std::optional<double> SecondsBetween(const std::optional<std::string>& from,
                                     const std::optional<std::string>& to);

// Time to first result and time to results: from the job's creation, without waiting in a queue or
// for a free node (creation to scheduled) and without cache preparation. Absent where a mark is
// absent or clocks disagree so far that the difference is negative.
void AddTimes(const api::ClockMarks& marks, api::RepeatFigures& figures);

// Price x (pod bound -> pod ended) x nodes, counting whole nodes; absent without a price. Where no
// scheduler bound a pod, from the start of its container.
std::optional<double> Cost(const api::ComputeSpec& compute, const api::ClockMarks& marks);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_MARKS_H_

// When copying a data set first pays; definition: docs/measurement.md, "Clock". Pure.
#ifndef FAIRLAP_LIB_STATS_BREAK_EVEN_H_
#define FAIRLAP_LIB_STATS_BREAK_EVEN_H_

#include <cstdint>
#include <optional>

namespace fairlap::stats {

// The smallest number of epochs n >= 1 with copy_seconds + n x staged < n x direct, both in seconds
// per epoch: from then on copying first is faster in all. nullopt where it never is, or not within
// 2^53 epochs, and where an input is negative or not finite.
std::optional<int64_t> BreakEvenEpochs(double copy_seconds, double staged_epoch_seconds,
                                       double direct_epoch_seconds);

}  // namespace fairlap::stats

#endif  // FAIRLAP_LIB_STATS_BREAK_EVEN_H_

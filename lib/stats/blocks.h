// The error of the mean of a correlated series, from the means of contiguous blocks. Pure.
#ifndef FAIRLAP_LIB_STATS_BLOCKS_H_
#define FAIRLAP_LIB_STATS_BLOCKS_H_

#include <cstddef>
#include <optional>
#include <span>

namespace fairlap::stats {

inline constexpr size_t kBlocks = 10;

struct BlockSpread {
  double mean = 0;            // of the block means
  double standard_error = 0;  // of that mean: standard deviation of the block means / sqrt(10)
  double variation = 0;       // coefficient of variation of the block means
};

// Cuts `values`, in their order, into 10 contiguous blocks whose lengths differ by at most one.
// Steps are correlated, so that a per-step standard error would be too small (docs/measurement.md).
// nullopt with fewer than two values a block, or where the mean is 0.
std::optional<BlockSpread> SpreadOfBlocks(std::span<const double> values);

}  // namespace fairlap::stats

#endif  // FAIRLAP_LIB_STATS_BLOCKS_H_

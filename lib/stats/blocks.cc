#include "lib/stats/blocks.h"

#include <array>
#include <cmath>
#include <numeric>

namespace fairlap::stats {
namespace {

std::array<double, kBlocks> BlockMeans(std::span<const double> values) {
  std::array<double, kBlocks> means{};
  for (size_t block = 0; block < kBlocks; ++block) {
    const size_t begin = block * values.size() / kBlocks;
    const size_t end = (block + 1) * values.size() / kBlocks;
    const auto part = values.subspan(begin, end - begin);
    means[block] =
        std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
  }
  return means;
}

}  // namespace

std::optional<BlockSpread> SpreadOfBlocks(std::span<const double> values) {
  if (values.size() < 2 * kBlocks) return std::nullopt;
  const std::array<double, kBlocks> means = BlockMeans(values);
  BlockSpread spread;
  spread.mean = std::accumulate(means.begin(), means.end(), 0.0) / kBlocks;
  if (spread.mean == 0) return std::nullopt;
  double squares = 0;
  for (const double mean : means) squares += (mean - spread.mean) * (mean - spread.mean);
  const double deviation = std::sqrt(squares / (kBlocks - 1));
  spread.standard_error = deviation / std::sqrt(static_cast<double>(kBlocks));
  spread.variation = deviation / spread.mean;
  return spread;
}

}  // namespace fairlap::stats

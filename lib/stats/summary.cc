#include "lib/stats/summary.h"

namespace fairlap::stats {

Summary Summarise(std::span<const double> values, int64_t failed, Better) {
  Summary summary;
  summary.succeeded = static_cast<int64_t>(values.size());
  summary.n = summary.succeeded + failed;
  return summary;
}

}  // namespace fairlap::stats

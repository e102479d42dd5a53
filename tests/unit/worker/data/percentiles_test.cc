#include "worker/data/percentiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fairlap::data {
namespace {

Histogram Of(const std::vector<uint16_t>& values) {
  Histogram histogram;
  histogram.Count(values);
  return histogram;
}

TEST(Histogram, GivesNumpysPercentiles) {
  // numpy.percentile([7, 300, 20, 65535], [0, 2, 25, 50, 99.8, 100])
  const Histogram few = Of({7, 300, 20, 65'535});
  EXPECT_DOUBLE_EQ(few.Percentile(0), 7);
  EXPECT_DOUBLE_EQ(few.Percentile(2), 7.78);
  EXPECT_DOUBLE_EQ(few.Percentile(25), 16.75);
  EXPECT_DOUBLE_EQ(few.Percentile(50), 160);
  EXPECT_NEAR(few.Percentile(99.8), 65'143.59, 1e-9);
  EXPECT_DOUBLE_EQ(few.Percentile(100), 65'535);
  EXPECT_DOUBLE_EQ(Of({41}).Percentile(99.8), 41);
}

TEST(Histogram, FindsTheValueAtEveryRank) {
  std::vector<uint16_t> values(1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint16_t>(i * i % 65'521);
  const Histogram histogram = Of(values);
  std::sort(values.begin(), values.end());
  for (size_t rank = 0; rank < values.size(); ++rank) {
    ASSERT_EQ(histogram.ValueAt(static_cast<int64_t>(rank)), values[rank]);
  }
}

TEST(Histogram, ForgetsTheImageBeforeWhateverItsDepth) {
  Histogram histogram = Of({1, 500, 65'535});
  const std::vector<uint8_t> bytes = {9, 3, 255};
  histogram.Count(GrayImage{.width = 3, .height = 1, .bytes_per_pixel = 1, .pixels = bytes});
  EXPECT_EQ(histogram.count(), 3);
  EXPECT_EQ(histogram.ValueAt(0), 3);
  EXPECT_EQ(histogram.ValueAt(1), 9);
  EXPECT_EQ(histogram.ValueAt(2), 255);
}

}  // namespace
}  // namespace fairlap::data

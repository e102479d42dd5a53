#include "worker/data/crop.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fairlap::data {
namespace {

TEST(RandomResizedCrop, StaysInsideTheImageWithinScaleAndRatio) {
  const JpegSize image{500, 375};
  base::Random random(3);
  int flips = 0;
  double smallest = 1, largest = 0;
  for (int i = 0; i < 2000; ++i) {
    const Crop crop = RandomResizedCrop(image, random);
    ASSERT_GE(crop.x, 0);
    ASSERT_GE(crop.y, 0);
    ASSERT_LE(crop.x + crop.width, 500);
    ASSERT_LE(crop.y + crop.height, 375);
    const double ratio = crop.width / crop.height;
    ASSERT_GT(ratio, 0.73);
    ASSERT_LT(ratio, 1.36);
    const double scale = crop.width * crop.height / (500.0 * 375.0);
    smallest = std::min(smallest, scale);
    largest = std::max(largest, scale);
    flips += crop.flip ? 1 : 0;
  }
  EXPECT_GT(smallest, 0.075);
  EXPECT_LT(smallest, 0.10);
  EXPECT_GT(largest, 0.95);
  EXPECT_NEAR(flips, 1000, 120);
}

TEST(RandomResizedCrop, FallsBackToTheLargestAllowedRatioInTheMiddle) {
  base::Random random(3);
  const Crop crop = RandomResizedCrop({1000, 10}, random);
  EXPECT_EQ(crop.height, 10);
  EXPECT_EQ(crop.width, 13);
  EXPECT_EQ(crop.x, 493);
}

TEST(CentreCrop, IsTorchvisionsResizeAndCentreCropInOneStep) {
  // Resize(256) gives 341 x 256; CenterCrop(224) starts at round(58.5) = 58 and 16.
  const Crop crop = CentreCrop({500, 375}, 224);
  EXPECT_NEAR(crop.x, 58 * 500.0 / 341, 1e-9);
  EXPECT_NEAR(crop.width, 224 * 500.0 / 341, 1e-9);
  EXPECT_NEAR(crop.y, 16 * 375.0 / 256, 1e-9);
  EXPECT_NEAR(crop.height, 224 * 375.0 / 256, 1e-9);
  EXPECT_FALSE(crop.flip);
}

TEST(MakeResizePlan, TakesTheSmallestScaleThatStillCoversTheTarget) {
  const auto eighths = [](double edge) {
    return MakeResizePlan({.width = edge, .height = edge}, {4000, 4000}, {}, 224).eighths;
  };
  EXPECT_EQ(eighths(300), 8);
  EXPECT_EQ(eighths(447), 8);
  EXPECT_EQ(eighths(448), 4);
  EXPECT_EQ(eighths(895), 4);
  EXPECT_EQ(eighths(896), 2);
  EXPECT_EQ(eighths(1792), 1);
}

TEST(MakeResizePlan, KeepsTheRegionInsideTheScaledImage) {
  base::Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const JpegSize image{random.Between(1, 3000), random.Between(1, 3000)};
    const Orientation orientation = MakeOrientation(static_cast<int>(random.Between(1, 8)));
    const JpegSize upright = UprightSize(image, orientation);
    const Crop crop = i % 2 == 0 ? RandomResizedCrop(upright, random) : CentreCrop(upright, 64);
    const ResizePlan plan = MakeResizePlan(crop, image, orientation, 64);
    ASSERT_GE(plan.region.x, 0);
    ASSERT_GE(plan.region.y, 0);
    ASSERT_GE(plan.region.width, 1);
    ASSERT_GE(plan.region.height, 1);
    ASSERT_LE(plan.region.x + plan.region.width, (image.width * plan.eighths + 7) / 8);
    ASSERT_LE(plan.region.y + plan.region.height, (image.height * plan.eighths + 7) / 8);
  }
}

}  // namespace
}  // namespace fairlap::data

#include "worker/data/jpeg_sample.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lib/base/random.h"
#include "worker/data/crop.h"
#include "worker/data/scratch.h"

namespace fairlap::data {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Mean and deviation of ImageNet's training pixels, as torchvision's models use them.
const Normalisation& ImageNetNormalisation() {
  static const Normalisation kValue =
      MakeNormalisation({0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F});
  return kValue;
}

// Decodes and resizes in turns of a few rows, which then still lie in the cache.
base::Status DecodeRows(int64_t rows, std::span<float> pixels, Scratch& scratch, LoadCost& cost) {
  auto mark = SteadyClock::now();
  const auto lap = [&mark] {
    const auto before = std::exchange(mark, SteadyClock::now());
    return mark - before;
  };
  for (int64_t done = 0; done < rows;) {
    const int64_t end = std::min(rows, done + Resizer::RowsAhead());
    for (; done < end; ++done) {
      const base::Status row = scratch.decoder.ReadRow(scratch.resizer.RowSlot(done));
      if (!row) return row;
    }
    cost.decode += lap();
    scratch.resizer.RowsReady(done, ImageNetNormalisation(), pixels);
    cost.transform += lap();
  }
  return {};
}

}  // namespace

base::Status DecodeJpegSample(std::span<const uint8_t> file, const SampleRequest& request,
                              int64_t image_size, std::span<float> pixels, Scratch& scratch,
                              LoadCost& cost) {
  const auto start = SteadyClock::now();
  const base::Result<JpegSize> stored = scratch.decoder.Open(file);
  if (!stored) return tl::unexpected(stored.error());
  const Orientation orientation = MakeOrientation(ExifOrientation(file));
  const JpegSize upright = UprightSize(*stored, orientation);
  base::Random random(request.random);
  const Crop crop =
      request.augment ? RandomResizedCrop(upright, random) : CentreCrop(upright, image_size);
  ResizePlan plan = MakeResizePlan(crop, *stored, orientation, image_size);
  const base::Result<PixelRect> rows = scratch.decoder.Start(plan.region, plan.eighths);
  if (!rows) return tl::unexpected(rows.error());
  cost.decode += SteadyClock::now() - start;

  const int64_t beside = plan.region.x - rows->x;
  plan.horizontal.source_size = rows->width;
  plan.horizontal.low += beside;
  plan.horizontal.high += beside;
  plan.horizontal.box_start += static_cast<double>(beside);
  const ChannelLayout channels = request.order == PixelOrder::kChannelsFirst
                                     ? ChannelLayout::kPlanar
                                     : ChannelLayout::kInterleaved;
  scratch.resizer.Start(plan.horizontal, plan.vertical, image_size,
                        MakeTargetLayout(orientation, crop.flip, image_size, channels));
  const base::Status decoded = DecodeRows(rows->height, pixels, scratch, cost);
  if (decoded) scratch.decoder.Finish();
  return decoded;
}

}  // namespace fairlap::data

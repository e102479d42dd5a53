#include "worker/data/care_pairs.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/random.h"
#include "worker/data/file_names.h"
#include "worker/data/file_tally.h"
#include "worker/data/scratch.h"
#include "worker/storage/page_cache.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;
using SteadyClock = std::chrono::steady_clock;

struct Layout {
  const char* noisy;
  const char* clean;
};
constexpr Layout kLayout = {"noisy", "clean"};
constexpr Layout kCsbDeepLayout = {"low", "GT"};  // of CSBDeep's own examples

struct Index {
  Layout layout = kLayout;
  std::vector<std::string> names;
  int64_t bytes = 0;
  std::string identity;
};

struct Position {
  int64_t x = 0, y = 0;
};

class CarePairs : public Dataset {
 public:
  CarePairs(const fs::path& folder, int64_t image_size, Index index)
      : noisy_(folder.string() + "/" + index.layout.noisy + "/"),
        clean_(folder.string() + "/" + index.layout.clean + "/"),
        image_size_(image_size),
        index_(std::move(index)) {}

  SampleKind kind() const override { return SampleKind::kImagePair; }
  int64_t size() const override { return std::ssize(index_.names); }
  int64_t image_size() const override { return image_size_; }
  const std::vector<std::string>& classes() const override { return classes_; }
  int64_t bytes() const override { return index_.bytes; }
  std::string identity() const override { return index_.identity; }
  std::string SampleName(int64_t index) const override {
    return std::string(index_.layout.noisy) + "/" + index_.names[index];
  }
  int64_t files_per_sample() const override { return 2; }
  std::string SampleFile(int64_t index, int64_t file) const override {
    return (file == 0 ? noisy_ : clean_) + index_.names[index];
  }

  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override;

 private:
  base::Result<GrayImage> Decode(const std::string& folder, const std::string& name,
                                 Scratch& scratch, LoadCost& cost) const;

  std::string noisy_, clean_;
  int64_t image_size_;
  Index index_;
  std::vector<std::string> classes_;
};

std::string SizeText(int64_t width, int64_t height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

base::Result<Position> PlacePatch(const GrayImage& image, int64_t size,
                                  const SampleRequest& request) {
  const int64_t free_x = image.width - size, free_y = image.height - size;
  if (free_x < 0 || free_y < 0) {
    return MakeError(ErrorKind::kInvalidInput, SizeText(image.width, image.height) +
                                                   " pixels, smaller than the patch of " +
                                                   std::to_string(size));
  }
  if (!request.augment) return Position{free_x / 2, free_y / 2};
  base::Random random(request.random);
  const int64_t x = random.Between(0, free_x);
  return Position{x, random.Between(0, free_y)};
}

template <class T>
void NormaliseRow(const T* row, std::span<float> out, float low, float range) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = (static_cast<float>(row[i]) - low) / range;
}

// Writes the patch at `position`. The 1e-20 that CSBDeep adds to the range is for images of one
// value, which are an error here.
base::Status Normalise(const GrayImage& image, const Position& position, int64_t size,
                       std::span<float> out, Histogram& histogram) {
  histogram.Count(image);
  const auto low = static_cast<float>(histogram.Percentile(kCareLowPercentile));
  const auto high = static_cast<float>(histogram.Percentile(kCareHighPercentile));
  const float range = high - low;
  if (range <= 0) {
    return MakeError(ErrorKind::kInvalidInput,
                     "its 2nd and 99.8th percentiles are equal, so it cannot be normalised");
  }
  for (int64_t y = 0; y < size; ++y) {
    const auto target = out.subspan(static_cast<size_t>(y * size), static_cast<size_t>(size));
    const uint8_t* row =
        image.pixels.data() + ((position.y + y) * image.width + position.x) * image.bytes_per_pixel;
    if (image.bytes_per_pixel == 1) {
      NormaliseRow(row, target, low, range);
    } else {
      NormaliseRow(reinterpret_cast<const uint16_t*>(row), target, low, range);
    }
  }
  return {};
}

base::Error OfClean(base::Error error) {
  error.message = "the clean image: " + error.message;
  return error;
}

base::Result<GrayImage> CarePairs::Decode(const std::string& folder, const std::string& name,
                                          Scratch& scratch, LoadCost& cost) const {
  const auto start = SteadyClock::now();
  scratch.path = folder;
  scratch.path += name;
  const auto file = scratch.reader.ReadFile(scratch.path);
  if (!file) return tl::unexpected(file.error());
  const auto read = SteadyClock::now();
  cost.read += read - start;
  cost.bytes += std::ssize(*file);
  cost.page_bytes += storage::RoundUpToPages(std::ssize(*file));
  auto image = DecodeGray(*file, scratch.gray);
  cost.decode += SteadyClock::now() - read;
  return image;
}

base::Result<SampleResult> CarePairs::Load(const SampleRequest& request, std::span<float> pixels,
                                           Scratch& scratch) const {
  const std::string& name = index_.names[request.index];
  const auto plane = static_cast<size_t>(image_size_ * image_size_);
  SampleResult result;
  const auto noisy = Decode(noisy_, name, scratch, result.cost);
  if (!noisy) return tl::unexpected(noisy.error());
  auto start = SteadyClock::now();
  const auto position = PlacePatch(*noisy, image_size_, request);
  if (!position) return tl::unexpected(position.error());
  base::Status done =
      Normalise(*noisy, *position, image_size_, pixels.first(plane), scratch.histogram);
  if (!done) return tl::unexpected(done.error());
  result.cost.transform = SteadyClock::now() - start;

  const auto clean = Decode(clean_, name, scratch, result.cost);
  if (!clean) return tl::unexpected(OfClean(clean.error()));
  if (clean->width != noisy->width || clean->height != noisy->height) {
    return MakeError(ErrorKind::kInvalidInput,
                     "the clean image is " + SizeText(clean->width, clean->height) +
                         ", the noisy one " + SizeText(noisy->width, noisy->height));
  }
  start = SteadyClock::now();
  done = Normalise(*clean, *position, image_size_, pixels.subspan(plane, plane), scratch.histogram);
  if (!done) return tl::unexpected(OfClean(done.error()));
  result.cost.transform += SteadyClock::now() - start;
  return result;
}

// ---- indexing ----

class Indexer {
 public:
  Indexer(const fs::path& folder, std::stop_token stop) : folder_(folder), stop_(std::move(stop)) {}

  base::Result<Index> Run();

 private:
  base::Result<Layout> FindLayout() const;
  // The images of one side, in byte order of their names.
  base::Result<std::vector<std::string>> AddSide(const char* side);
  base::Status CheckPartners(const char* side, const std::vector<std::string>& names,
                             const char* other_side,
                             const std::vector<std::string>& partners) const;

  fs::path folder_;
  std::stop_token stop_;
  Index index_;
  FileTally tally_;
};

base::Result<Layout> Indexer::FindLayout() const {
  const auto entries = ListFolder(folder_);
  if (!entries) return tl::unexpected(entries.error());
  for (const Layout& layout : {kLayout, kCsbDeepLayout}) {
    for (const FolderEntry& entry : *entries) {
      if (entry.name == layout.noisy || entry.name == layout.clean) return layout;
    }
  }
  return MakeError(ErrorKind::kInvalidInput,
                   folder_.string() + (entries->empty() ? ": is empty" : ": holds no image pairs") +
                       "; expected the folders noisy and clean, or low and GT, with *.tif, *.tiff "
                       "or *.png files of the same names in both");
}

base::Result<std::vector<std::string>> Indexer::AddSide(const char* side) {
  const auto entries = ListFolder(folder_ / side);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<std::string> names;
  for (const FolderEntry& entry : *entries) {
    if (stop_.stop_requested()) {
      return MakeError(ErrorKind::kInterrupted, "stopped while indexing the data set");
    }
    if (!IsGrayImageName(entry.name)) continue;
    tally_.Add(std::string(side) + "/" + entry.name, entry.path);
    names.push_back(entry.name);
  }
  return names;
}

base::Status Indexer::CheckPartners(const char* side, const std::vector<std::string>& names,
                                    const char* other_side,
                                    const std::vector<std::string>& partners) const {
  for (const std::string& name : names) {
    if (std::ranges::binary_search(partners, name)) continue;
    return MakeError(ErrorKind::kInvalidInput, (folder_ / side / name).string() +
                                                   ": has no partner; expected a file of that name "
                                                   "in " +
                                                   (folder_ / other_side).string());
  }
  return {};
}

base::Result<Index> Indexer::Run() {
  const auto layout = FindLayout();
  if (!layout) return tl::unexpected(layout.error());
  index_.layout = *layout;
  // In both layouts the clean side comes first in byte order, in which the identity is made.
  const auto clean = AddSide(layout->clean);
  if (!clean) return tl::unexpected(clean.error());
  auto noisy = AddSide(layout->noisy);
  if (!noisy) return tl::unexpected(noisy.error());
  base::Status paired = CheckPartners(layout->noisy, *noisy, layout->clean, *clean);
  if (paired) paired = CheckPartners(layout->clean, *clean, layout->noisy, *noisy);
  if (!paired) return tl::unexpected(paired.error());
  if (noisy->empty()) {
    return MakeError(ErrorKind::kInvalidInput, (folder_ / layout->noisy).string() +
                                                   ": this folder holds no *.tif, *.tiff or *.png");
  }
  index_.names = std::move(*noisy);
  index_.bytes = tally_.bytes();
  index_.identity = tally_.Identity();
  return std::move(index_);
}

}  // namespace

base::Result<std::unique_ptr<Dataset>> OpenCarePairs(const fs::path& folder, int64_t image_size,
                                                     std::stop_token stop) {
  base::Result<Index> index = Indexer(folder, std::move(stop)).Run();
  if (!index) return tl::unexpected(index.error());
  return std::make_unique<CarePairs>(folder, image_size, std::move(*index));
}

}  // namespace fairlap::data

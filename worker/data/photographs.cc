#include "worker/data/photographs.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "lib/base/sha256.h"
#include "worker/data/file_names.h"
#include "worker/data/jpeg_decoder.h"
#include "worker/storage/file_reader.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;

constexpr int64_t kSmallestEdge = 64;

std::string SafeName(const std::string& stem) {
  std::string name;
  for (const char c : stem) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    name += safe ? c : '_';
  }
  return name;
}

std::string UniqueName(const std::string& name, std::set<std::string>& taken) {
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = name + "_" + std::to_string(n);
  return unique;
}

tl::unexpected<base::Error> AtPath(const fs::path& path, base::Error error) {
  error.message = path.string() + ": " + error.message;
  return tl::unexpected(std::move(error));
}

base::Result<RgbImage> DecodeWhole(std::span<const uint8_t> file) {
  JpegDecoder decoder;
  const auto size = decoder.Open(file);
  if (!size) return tl::unexpected(size.error());
  const auto rows = decoder.Start({0, 0, size->width, size->height}, 8);
  if (!rows) return tl::unexpected(rows.error());
  RgbImage image = MakeRgbImage(size->width, size->height);
  std::vector<uint8_t> row(static_cast<size_t>(4 * size->width));
  for (int64_t y = 0; y < size->height; ++y) {
    const base::Status read = decoder.ReadRow(row.data());
    if (!read) return tl::unexpected(read.error());
    for (int64_t x = 0; x < size->width; ++x) std::copy_n(row.data() + 4 * x, 3, image.At(x, y));
  }
  return image;
}

// A stretch of [0, edge) for the split, if this is the edge that is divided.
std::pair<int64_t, int64_t> Stretch(int64_t edge, bool divided, Split split) {
  if (!divided) return {0, edge};
  const int64_t border = edge * 3 / 4;
  return split == Split::kTrain ? std::pair{int64_t{0}, border} : std::pair{border, edge};
}

}  // namespace

base::Result<std::vector<Photograph>> FindPhotographs(const fs::path& folder, int64_t count) {
  auto entries = ListFolder(folder);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<Photograph> photographs;
  std::set<std::string> taken;
  storage::FileReader reader;
  for (const FolderEntry& entry : *entries) {
    if (!IsJpegName(entry.name)) continue;
    if (count > 0 && std::ssize(photographs) == count) break;
    const auto file = reader.ReadFile(entry.path);
    if (!file) return AtPath(entry.path, file.error());
    base::Sha256 hash;
    hash.Add(*file);
    photographs.push_back(
        {UniqueName(SafeName(entry.path.stem().string()), taken), entry.path, hash.HexDigest()});
  }
  if (photographs.empty() || std::ssize(photographs) < count) {
    return MakeError(ErrorKind::kInvalidInput,
                     folder.string() + ": holds " + std::to_string(photographs.size()) +
                         " photographs (*.jpg, *.jpeg); expected at least " +
                         std::to_string(std::max<int64_t>(count, 1)));
  }
  std::sort(photographs.begin(), photographs.end(),
            [](const auto& a, const auto& b) { return a.class_name < b.class_name; });
  return photographs;
}

base::Result<RgbImage> ReadPhotograph(const fs::path& path) {
  storage::FileReader reader;
  const auto file = reader.ReadFile(path);
  if (!file) return AtPath(path, file.error());
  auto image = DecodeWhole(*file);
  if (!image) return AtPath(path, image.error());
  if (std::min(image->width, image->height) < kSmallestEdge) {
    return AtPath(path, {ErrorKind::kInvalidInput, "is smaller than 64 x 64 pixels"});
  }
  return image;
}

RgbImage CutPhotograph(const RgbImage& photograph, Split split, int64_t width, int64_t height,
                       base::Random& random) {
  const bool wide = photograph.width >= photograph.height;
  const auto [left, right] = Stretch(photograph.width, wide, split);
  const auto [top, bottom] = Stretch(photograph.height, !wide, split);
  // Leave room to move in: a crop takes at most three quarters of an edge.
  RgbImage cut = MakeRgbImage(std::min(width, (right - left) * 3 / 4),
                              std::min(height, (bottom - top) * 3 / 4));
  const int64_t x = random.Between(left, right - cut.width);
  const int64_t y = random.Between(top, bottom - cut.height);
  for (int64_t row = 0; row < cut.height; ++row) {
    std::copy_n(photograph.At(x, y + row), 3 * cut.width, cut.At(0, row));
  }
  return cut;
}

}  // namespace fairlap::data

#include "worker/data/cifar10.h"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "lib/base/random.h"
#include "worker/data/file_names.h"
#include "worker/data/file_tally.h"
#include "worker/data/resize.h"
#include "worker/storage/io_watch.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;

constexpr int64_t kPadding = 4;
constexpr int64_t kPlane = kCifarEdge * kCifarEdge;
constexpr int64_t kMaxFileBytes = int64_t{1} << 30;
constexpr std::string_view kClassNamesFile = "batches.meta.txt";

// Mean and deviation of CIFAR-10's training pixels.
const Normalisation& CifarNormalisation() {
  static const Normalisation kValue =
      MakeNormalisation({0.4914F, 0.4822F, 0.4465F}, {0.2470F, 0.2435F, 0.2616F});
  return kValue;
}

struct BatchFile {
  std::string name;
  std::string records;
};

struct Contents {
  std::vector<std::string> classes;
  std::vector<BatchFile> files;
};

// Where the upright, unpadded image is cut.
struct Shift {
  int64_t x = 0, y = 0;
  bool flip = false;
};

class Cifar10 : public Dataset {
 public:
  explicit Cifar10(Contents contents);

  int64_t size() const override { return starts_.back(); }
  int64_t image_size() const override { return kCifarEdge; }
  const std::vector<std::string>& classes() const override { return contents_.classes; }
  int64_t bytes() const override { return size() * kCifarRecord; }
  std::string identity() const override { return identity_; }
  std::string SampleName(int64_t index) const override;
  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override;

 private:
  size_t FileOf(int64_t index) const;
  const uint8_t* Record(int64_t index) const;

  Contents contents_;
  std::vector<int64_t> starts_{0};  // the first sample of each file, and the end
  std::string identity_;
};

Cifar10::Cifar10(Contents contents) : contents_(std::move(contents)) {
  FileTally tally;
  for (const BatchFile& file : contents_.files) {
    starts_.push_back(starts_.back() + std::ssize(file.records) / kCifarRecord);
    tally.Add(file.name, std::ssize(file.records));
  }
  identity_ = tally.Identity();
}

size_t Cifar10::FileOf(int64_t index) const {
  return static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), index) -
                             starts_.begin() - 1);
}

const uint8_t* Cifar10::Record(int64_t index) const {
  const size_t file = FileOf(index);
  const char* record =
      contents_.files[file].records.data() + (index - starts_[file]) * kCifarRecord;
  return reinterpret_cast<const uint8_t*>(record);
}

std::string Cifar10::SampleName(int64_t index) const {
  const size_t file = FileOf(index);
  return contents_.files[file].name + "[" + std::to_string(index - starts_[file]) + "]";
}

Shift DrawShift(const SampleRequest& request) {
  if (!request.augment) return {};
  base::Random random(request.random);
  const int64_t x = random.Between(-kPadding, kPadding);
  const int64_t y = random.Between(-kPadding, kPadding);
  return {x, y, random.Below(2) == 1};
}

struct ChannelTarget {
  float* start;
  int64_t step_x, step_y;
  float scale, offset;
};

void CutChannel(const uint8_t* plane, const Shift& shift, const ChannelTarget& target) {
  for (int64_t y = 0; y < kCifarEdge; ++y) {
    const int64_t from_y = y + shift.y;
    const bool inside_y = from_y >= 0 && from_y < kCifarEdge;
    float* out = target.start + y * target.step_y;
    for (int64_t x = 0; x < kCifarEdge; ++x, out += target.step_x) {
      const int64_t from_x = (shift.flip ? kCifarEdge - 1 - x : x) + shift.x;
      const bool inside = inside_y && from_x >= 0 && from_x < kCifarEdge;
      const int value = inside ? plane[from_y * kCifarEdge + from_x] : 0;
      *out = target.scale * static_cast<float>(value) + target.offset;
    }
  }
}

base::Result<SampleResult> Cifar10::Load(const SampleRequest& request, std::span<float> pixels,
                                         Scratch& /*scratch*/) const {
  const auto start = std::chrono::steady_clock::now();
  const uint8_t* record = Record(request.index);
  const Shift shift = DrawShift(request);
  const bool planar = request.order == PixelOrder::kChannelsFirst;
  for (size_t c = 0; c < 3; ++c) {
    CutChannel(record + 1 + c * kPlane, shift,
               {.start = pixels.data() + c * (planar ? kPlane : 1),
                .step_x = planar ? 1 : 3,
                .step_y = planar ? kCifarEdge : 3 * kCifarEdge,
                .scale = CifarNormalisation().scale[c],
                .offset = CifarNormalisation().offset[c]});
  }
  SampleResult result{.label = record[0], .cost = {}};
  result.cost.transform = std::chrono::steady_clock::now() - start;
  return result;
}

// ---- opening ----

bool IsBatchFile(const std::string& name, Split split) {
  if (split == Split::kValidation) return name == "test_batch.bin";
  return name.starts_with("data_batch_") && name.ends_with(".bin");
}

base::Result<std::vector<fs::path>> FindBatchFiles(const fs::path& folder, Split split) {
  const auto entries = ListFolder(folder);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<fs::path> found;
  for (const FolderEntry& entry : *entries) {
    if (IsBatchFile(entry.name, split)) found.push_back(entry.path);
  }
  return found;
}

base::Result<std::vector<std::string>> ReadClassNames(const fs::path& folder) {
  constexpr size_t kMostClasses = 10;
  std::vector<std::string> names;
  const auto text = base::ReadFile(folder / kClassNamesFile, 1 << 16);
  if (text) {
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!line.empty()) names.push_back(line);
    }
    if (names.size() > kMostClasses) {
      return MakeError(ErrorKind::kInvalidInput,
                       (folder / kClassNamesFile).string() + ": names more than 10 classes");
    }
  } else if (text.error().kind != ErrorKind::kNotFound) {
    return tl::unexpected(text.error());
  }
  if (names.empty()) {
    for (size_t i = 0; i < kMostClasses; ++i) names.push_back(std::to_string(i));
  }
  return names;
}

base::Status CheckRecords(const fs::path& path, const std::string& records, size_t classes) {
  if (records.empty() || records.size() % kCifarRecord != 0) {
    return MakeError(ErrorKind::kInvalidInput, path.string() + ": holds " +
                                                   std::to_string(records.size()) +
                                                   " bytes; expected records of 3073 bytes each");
  }
  for (size_t at = 0; at < records.size(); at += kCifarRecord) {
    const auto label = static_cast<uint8_t>(records[at]);
    if (label >= classes) {
      return MakeError(ErrorKind::kInvalidInput,
                       path.string() + ": record " + std::to_string(at / kCifarRecord) +
                           " has label " + std::to_string(label) + "; expected 0 to " +
                           std::to_string(classes - 1));
    }
  }
  return {};
}

base::Result<Contents> ReadContents(const fs::path& folder, const std::vector<fs::path>& paths,
                                    const std::stop_token& stop) {
  auto classes = ReadClassNames(folder);
  if (!classes) return tl::unexpected(classes.error());
  Contents contents{.classes = std::move(*classes), .files = {}};
  for (const fs::path& path : paths) {
    if (stop.stop_requested()) {
      return MakeError(ErrorKind::kInterrupted, "stopped while reading the data set");
    }
    const storage::IoScope scope("read", path.native());
    auto records = base::ReadFile(path, kMaxFileBytes);
    if (!records) return tl::unexpected(records.error());
    const base::Status checked = CheckRecords(path, *records, contents.classes.size());
    if (!checked) return tl::unexpected(checked.error());
    contents.files.push_back({path.filename().string(), std::move(*records)});
  }
  return contents;
}

}  // namespace

base::Result<std::unique_ptr<Dataset>> OpenCifar10(const fs::path& root, Split split,
                                                   std::stop_token stop) {
  std::error_code ignored;
  const fs::path inner = root / "cifar-10-batches-bin";
  const fs::path folder = fs::is_directory(inner, ignored) ? inner : root;
  const auto paths = FindBatchFiles(folder, split);
  if (!paths) return tl::unexpected(paths.error());
  if (paths->empty()) {
    return MakeError(ErrorKind::kNotFound,
                     folder.string() + ": holds no " +
                         (split == Split::kTrain ? "data_batch_*.bin" : "test_batch.bin") +
                         "; expected the binary version of CIFAR-10");
  }
  auto contents = ReadContents(folder, *paths, stop);
  if (!contents) return tl::unexpected(contents.error());
  return std::make_unique<Cifar10>(std::move(*contents));
}

}  // namespace fairlap::data

#include "worker/data/image_folder.h"

#include <system_error>
#include <utility>

#include "worker/data/file_names.h"
#include "worker/data/file_tally.h"
#include "worker/data/jpeg_sample.h"
#include "worker/data/packed_index.h"
#include "worker/data/scratch.h"
#include "worker/storage/page_cache.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;
using SteadyClock = std::chrono::steady_clock;

struct Sample {
  std::string path;  // relative to the folder
  int64_t label = 0;
};

struct Index {
  std::vector<std::string> classes;
  std::vector<Sample> samples;
  int64_t bytes = 0;
  std::string identity;
};

class ImageFolder : public Dataset {
 public:
  ImageFolder(const fs::path& folder, int64_t image_size, Index index)
      : prefix_(folder.string() + "/"), image_size_(image_size), index_(std::move(index)) {}

  int64_t size() const override { return std::ssize(index_.samples); }
  int64_t image_size() const override { return image_size_; }
  const std::vector<std::string>& classes() const override { return index_.classes; }
  int64_t bytes() const override { return index_.bytes; }
  std::string identity() const override { return index_.identity; }
  std::string SampleName(int64_t index) const override { return index_.samples[index].path; }
  int64_t files_per_sample() const override { return 1; }
  std::string SampleFile(int64_t index, int64_t /*file*/) const override {
    return prefix_ + index_.samples[index].path;
  }

  base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                  Scratch& scratch) const override;

 private:
  std::string prefix_;
  int64_t image_size_;
  Index index_;
};

base::Result<SampleResult> ImageFolder::Load(const SampleRequest& request, std::span<float> pixels,
                                             Scratch& scratch) const {
  const Sample& sample = index_.samples[request.index];
  SampleResult result{.label = sample.label, .cost = {}};
  const auto start = SteadyClock::now();
  scratch.path = prefix_;
  scratch.path += sample.path;
  const auto file = scratch.reader.ReadFile(scratch.path);
  if (!file) return tl::unexpected(file.error());
  result.cost.read = SteadyClock::now() - start;
  result.cost.bytes = std::ssize(*file);
  result.cost.page_bytes = storage::RoundUpToPages(result.cost.bytes);
  const base::Status decoded =
      DecodeJpegSample(*file, request, image_size_, pixels, scratch, result.cost);
  if (!decoded) return tl::unexpected(decoded.error());
  return result;
}

// ---- indexing ----

class Indexer {
 public:
  explicit Indexer(std::stop_token stop) : stop_(std::move(stop)) {}

  base::Status AddClass(const FolderEntry& folder);
  Index Take();

 private:
  // `depth` folders below this one are looked into.
  base::Status AddFolder(const fs::path& folder, const std::string& relative, int depth);
  void AddFile(const FolderEntry& entry, std::string relative);

  std::stop_token stop_;
  Index index_;
  FileTally tally_;
};

base::Status Indexer::AddClass(const FolderEntry& folder) {
  const size_t before = index_.samples.size();
  index_.classes.push_back(folder.name);
  const base::Status added = AddFolder(folder.path, folder.name, 1);
  if (!added) return added;
  if (index_.samples.size() == before) {
    return MakeError(ErrorKind::kInvalidInput,
                     folder.path.string() + ": this class folder holds no *.jpg or *.jpeg");
  }
  return {};
}

base::Status Indexer::AddFolder(const fs::path& folder, const std::string& relative, int depth) {
  const auto entries = ListFolder(folder);
  if (!entries) return tl::unexpected(entries.error());
  for (const FolderEntry& entry : *entries) {
    if (stop_.stop_requested()) {
      return MakeError(ErrorKind::kInterrupted, "stopped while indexing the data set");
    }
    std::string path = relative + "/" + entry.name;
    if (IsJpegName(entry.name)) {
      AddFile(entry, std::move(path));
    } else if (depth > 0 && entry.is_folder) {
      const base::Status added = AddFolder(entry.path, path, depth - 1);
      if (!added) return added;
    }
  }
  return {};
}

void Indexer::AddFile(const FolderEntry& entry, std::string relative) {
  tally_.Add(relative, entry.path);
  index_.samples.push_back({std::move(relative), std::ssize(index_.classes) - 1});
}

Index Indexer::Take() {
  index_.bytes = tally_.bytes();
  index_.identity = tally_.Identity();
  return std::move(index_);
}

tl::unexpected<base::Error> NoClasses(const fs::path& folder, bool empty) {
  std::error_code ignored;
  if (fs::exists(folder / kPackedIndexName, ignored)) {
    return MakeError(ErrorKind::kInvalidInput,
                     folder.string() + ": is packed (layout packed), and expected were files");
  }
  return MakeError(ErrorKind::kInvalidInput,
                   folder.string() + (empty ? ": is empty" : ": holds no folders") +
                       "; expected one folder of *.jpg or *.jpeg files for each class");
}

}  // namespace

base::Result<std::unique_ptr<Dataset>> OpenImageFolder(const fs::path& folder, int64_t image_size,
                                                       std::stop_token stop) {
  const auto entries = ListFolder(folder);
  if (!entries) return tl::unexpected(entries.error());
  Indexer indexer(stop);
  bool any = false;
  for (const FolderEntry& entry : *entries) {
    if (!entry.is_folder) continue;
    any = true;
    const base::Status added = indexer.AddClass(entry);
    if (!added) return tl::unexpected(added.error());
  }
  if (!any) return NoClasses(folder, entries->empty());
  return std::make_unique<ImageFolder>(folder, image_size, indexer.Take());
}

}  // namespace fairlap::data

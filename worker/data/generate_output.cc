#include "worker/data/generate_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/file.h"

namespace fairlap::data {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;

constexpr int64_t kMaxManifestBytes = 1 << 24;
// Stands in the folder until the manifest does, and says that what is there is ours.
constexpr std::string_view kUnfinishedName = ".fairlap-dataset-unfinished";

tl::unexpected<base::Error> IoError(const fs::path& path, const std::string& action, int error) {
  return MakeError(ErrorKind::kIo,
                   path.string() + ": cannot " + action + ": " + base::SystemMessage(error));
}

// Everything a generation writes at the top of its folder.
bool IsOurName(const std::string& name) {
  return name == "train" || name == "val" || name == "batches.meta.txt" ||
         name == "test_batch.bin" || (name.starts_with("data_batch_") && name.ends_with(".bin")) ||
         name == kDatasetManifestName || name == kUnfinishedName;
}

base::Result<std::vector<fs::path>> List(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    // At the root of a fresh volume of the ext family, and nobody's data.
    if (it->path().filename() != "lost+found") paths.push_back(it->path());
  }
  if (error) return IoError(folder, "read this folder", error.value());
  return paths;
}

int64_t BytesBelow(const fs::path& folder) {
  int64_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored) && it->path().filename() != kDatasetManifestName) {
      bytes += static_cast<int64_t>(it->file_size(ignored));
    }
  }
  return bytes;
}

}  // namespace

int64_t ValidationImages(int64_t images, int64_t classes) { return std::max(classes, images / 5); }

int64_t ImagesOfClass(int64_t images, int64_t classes, int64_t index) {
  return images / classes + (index < images % classes ? 1 : 0);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
}

base::Status OutputFile::Open(const fs::path& path) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) return IoError(path, "write", errno);
  return {};
}

base::Status OutputFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return IoError(path_, "write", errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

// The manifest is written last and synced; files need no more than to be complete.
base::Status OutputFile::Close() {
  // Network file systems report a full disk here.
  if (::close(std::exchange(fd_, -1)) != 0) return IoError(path_, "write", errno);
  return {};
}

DatasetOutput::DatasetOutput(const GenerateOptions& options, base::Json description,
                             GenerateProgress progress, std::stop_token stop)
    : DatasetOutput(options.out, options.overwrite, std::move(description), {}, std::move(progress),
                    std::move(stop)) {
  result_.classes = description_.value("classes", int64_t{0});
  result_.train_images = options.images;
  result_.validation_images =
      ValidationImages(options.images, std::max<int64_t>(1, result_.classes));
}

DatasetOutput::DatasetOutput(fs::path out, bool overwrite, base::Json description,
                             GeneratedDataset counts, GenerateProgress progress,
                             std::stop_token stop)
    : out_(std::move(out)),
      description_(std::move(description)),
      progress_(std::move(progress)),
      stop_(std::move(stop)),
      overwrite_(overwrite),
      result_(std::move(counts)) {}

int64_t DatasetOutput::AllImages() const {
  const int64_t samples = result_.train_images + result_.validation_images;
  return description_.contains("classes") ? samples : 2 * samples;
}

std::optional<GeneratedDataset> DatasetOutput::Existing() const {
  const auto text = base::ReadFile(out_ / kDatasetManifestName, kMaxManifestBytes);
  if (!text) return std::nullopt;
  const auto manifest = base::ParseJson(*text, kDatasetManifestName);
  if (!manifest || !manifest->is_object()) return std::nullopt;
  const auto description = manifest->find("description");
  const auto bytes = manifest->find("bytes");
  const auto sha256 = manifest->find("sha256");
  const bool complete = description != manifest->end() && bytes != manifest->end() &&
                        sha256 != manifest->end() && bytes->is_number_integer() &&
                        sha256->is_string();
  if (!complete || *description != description_) return std::nullopt;
  GeneratedDataset existing = result_;
  existing.bytes = bytes->get<int64_t>();
  existing.sha256 = sha256->get<std::string>();
  if (BytesBelow(out_) != existing.bytes) return std::nullopt;
  return existing;
}

base::Status DatasetOutput::RemoveOurs() const {
  const auto paths = List(out_);
  if (!paths) return tl::unexpected(paths.error());
  if (paths->empty()) return {};
  std::error_code error;
  const bool complete = fs::exists(out_ / kDatasetManifestName, error);
  if (complete && !overwrite_) {
    return MakeError(ErrorKind::kConflict,
                     out_.string() +
                         ": holds another generated data set, or one that was changed "
                         "since; choose another folder, or --overwrite");
  }
  if (!complete && !fs::exists(out_ / kUnfinishedName, error)) {
    return MakeError(ErrorKind::kConflict,
                     out_.string() + ": is not empty, and what it holds was not generated by us");
  }
  for (const fs::path& path : *paths) {
    if (IsOurName(path.filename().string())) continue;
    return MakeError(ErrorKind::kConflict,
                     path.string() + ": was not generated by us, so this folder is left alone");
  }
  for (const fs::path& path : *paths) {
    if (path.filename() == kUnfinishedName) continue;
    fs::remove_all(path, error);
    if (error) return IoError(path, "remove", error.value());
  }
  return {};
}

base::Status DatasetOutput::Begin() {
  std::error_code error;
  fs::create_directories(out_, error);
  if (error) return IoError(out_, "make this folder", error.value());
  const base::Status removed = RemoveOurs();
  if (!removed) return removed;
  const base::Status marked = file_.Open(out_ / kUnfinishedName);
  return marked ? file_.Close() : marked;
}

base::Status DatasetOutput::Advance(int64_t images) {
  done_ += images;
  if (progress_) progress_(done_, AllImages());
  if (!stop_.stop_requested()) return {};
  return MakeError(ErrorKind::kInterrupted, "stopped while making the data set");
}

base::Status DatasetOutput::Write(const std::string& relative_path, std::string_view bytes) {
  base::Status status = BeginFile(relative_path, std::ssize(bytes));
  if (status) status = Append(bytes);
  return status ? EndFile() : status;
}

base::Status DatasetOutput::BeginFile(const std::string& relative_path, int64_t size) {
  const fs::path path = out_ / relative_path;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return IoError(path.parent_path(), "make this folder", error.value());
  hash_.Add(relative_path + " " + std::to_string(size) + "\n");
  return file_.Open(path);
}

base::Status DatasetOutput::Append(std::string_view bytes) {
  hash_.Add(bytes);
  result_.bytes += std::ssize(bytes);
  return file_.Append(bytes);
}

base::Result<GeneratedDataset> DatasetOutput::Finish() {
  result_.sha256 = hash_.HexDigest();
  const base::Json manifest = {{"generator", "fairlap"},
                               {"description", description_},
                               {"trainImages", result_.train_images},
                               {"validationImages", result_.validation_images},
                               {"bytes", result_.bytes},
                               {"sha256", result_.sha256}};
  const base::Status written =
      base::WriteFileAtomically(out_ / kDatasetManifestName, manifest.dump(2) + "\n");
  if (!written) return tl::unexpected(written.error());
  std::error_code ignored;
  fs::remove(out_ / kUnfinishedName, ignored);
  return result_;
}

}  // namespace fairlap::data

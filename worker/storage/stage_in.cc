#include "worker/storage/stage_in.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "worker/storage/byte_buffer.h"
#include "worker/storage/file_tree.h"
#include "worker/storage/for_each.h"
#include "worker/storage/staged_file.h"

namespace fairlap::storage {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;

struct Item {
  FileVersion version;
  bool kept = false;           // it is there already
  int64_t replaced_bytes = 0;  // of the device, of another version that is there
};

std::string SizeText(int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return base::FormatNumber(size / 1e9) + " GB";
  if (bytes >= 1'000'000) return base::FormatNumber(size / 1e6) + " MB";
  return std::to_string(bytes) + " bytes";
}

class Staging {
 public:
  Staging(const StageInOptions& options,
          const std::function<void(const StageInProgress&)>& progress, const std::stop_token& stop)
      : options_(options), progress_(progress), stop_(stop) {}

  base::Status Run() {
    if (auto listed = List(); !listed) return listed;
    if (auto compared = Compare(); !compared) return compared;
    Tell();
    if (auto room = CheckSpace(); !room) return room;
    if (auto made = MakeFolders(); !made) return made;
    auto copied = Copy();
    RemoveParts();
    if (copied) copied = Settle();
    Tell();
    return copied;
  }

 private:
  base::Status List() {
    for (const StagePart& part : options_.parts) {
      std::error_code ignored;
      if (part.optional && !fs::exists(options_.from / part.path, ignored) && !ignored) continue;
      if (auto added = AddTree(options_.from, part.path, stop_, tree_); !added) return added;
    }
    items_.resize(tree_.files.size());
    return {};
  }

  // With what is there already.
  base::Status Compare() {
    auto compared = ForEachFile([this](size_t i, size_t) { return Compare(i); });
    if (!compared) return compared;
    totals_.total_files = static_cast<int64_t>(items_.size());
    for (const Item& item : items_) {
      totals_.total_bytes += item.version.bytes;
      totals_.kept_files += item.kept ? 1 : 0;
      totals_.kept_bytes += item.kept ? item.version.bytes : 0;
    }
    return {};
  }

  base::Status Compare(size_t i) {
    auto version = VersionOf(Source(i));
    if (!version) return tl::unexpected(std::move(version.error()));
    Item& item = items_[i];
    item.version = *version;
    struct stat there {};
    if (::lstat(Target(i).c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return {};
    item.kept = item.version == FileVersion{there.st_size, there.st_mtim};
    if (!item.kept) item.replaced_bytes = there.st_blocks * 512;
    return {};
  }

  base::Status CheckSpace() const {
    struct statvfs volume {};
    if (::statvfs(options_.to.c_str(), &volume) != 0) {
      return MakeError(ErrorKind::kIo, options_.to.string() + ": cannot tell its free space: " +
                                           base::SystemMessage(errno));
    }
    const auto block = static_cast<int64_t>(std::max<unsigned long>(volume.f_frsize, 1));
    int64_t needed = 0, files = 0;
    for (const Item& item : items_) {
      if (item.kept) continue;
      needed += (item.version.bytes + block - 1) / block * block - item.replaced_bytes;
      files += item.replaced_bytes > 0 ? 0 : 1;
    }
    const int64_t free = static_cast<int64_t>(volume.f_bavail) * block;
    if (needed > free) return NoRoom(SizeText(needed), SizeText(free) + " free");
    // Where a file takes an inode of a limited number.
    const auto free_files = static_cast<int64_t>(volume.f_favail);
    if (volume.f_files > 0 && files > free_files) {
      return NoRoom(std::to_string(files) + " files",
                    "room for " + std::to_string(free_files) + " files");
    }
    return {};
  }

  tl::unexpected<base::Error> NoRoom(const std::string& needed, const std::string& there) const {
    return MakeError(ErrorKind::kUnavailable,
                     options_.to.string() + ": copying the data set needs " + needed +
                         " there, and this volume has " + there +
                         ": give storage.scratch a larger one, or use staging direct");
  }

  base::Status MakeFolders() const {
    for (const std::string& folder : tree_.folders) {
      std::error_code error;
      fs::create_directories(options_.to / folder, error);
      if (error) {
        return MakeError(ErrorKind::kIo, (options_.to / folder).string() + ": cannot create: " +
                                             base::SystemMessage(error.value()));
      }
    }
    return {};
  }

  base::Status Copy() {
    std::vector<ByteBuffer> buffers(static_cast<size_t>(std::max(options_.threads, 1)));
    const CountBytes count = [this](int64_t bytes) { written_bytes_ += bytes; };
    return ForEachFile([&](size_t i, size_t thread) -> base::Status {
      if (items_[i].kept) return {};
      return CopyFile(Source(i), items_[i].version, PartOf(thread), Target(i), buffers[thread],
                      count, stop_);
    });
  }

  // After all are copied: the first file's fsync takes most of the others' along.
  base::Status Settle() {
    return ForEachFile([this](size_t i, size_t) -> base::Status {
      auto settled = storage::Settle(Target(i), items_[i].version.bytes);
      if (settled) ++settled_files_;
      return settled;
    });
  }

  template <class Work>
  base::Status ForEachFile(Work work) {
    return ForEach(
        items_.size(), options_.threads, work, [this] { Tell(); }, stop_);
  }

  void Tell() {
    // Not yet while the sizes are being found out.
    if (totals_.total_files < static_cast<int64_t>(items_.size())) return;
    totals_.files = settled_files_;
    totals_.bytes = written_bytes_;
    progress_(totals_);
  }

  void RemoveParts() const {
    for (int thread = 0; thread < options_.threads; ++thread) {
      std::error_code ignored;
      fs::remove(PartOf(static_cast<size_t>(thread)), ignored);
    }
  }

  fs::path Source(size_t i) const { return options_.from / tree_.files[i]; }
  fs::path Target(size_t i) const { return options_.to / tree_.files[i]; }
  // The same for every try, so that one that was killed leaves nothing that stays.
  fs::path PartOf(size_t thread) const { return options_.to / (".part-" + std::to_string(thread)); }

  const StageInOptions& options_;
  const std::function<void(const StageInProgress&)>& progress_;
  const std::stop_token& stop_;
  FileTree tree_;
  std::vector<Item> items_;  // of tree_.files
  StageInProgress totals_;
  std::atomic<int64_t> written_bytes_ = 0, settled_files_ = 0;
};

}  // namespace

base::Status StageIn(const StageInOptions& options,
                     const std::function<void(const StageInProgress&)>& progress,
                     const std::stop_token& stop) {
  return Staging(options, progress, stop).Run();
}

}  // namespace fairlap::storage

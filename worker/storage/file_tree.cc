#include "worker/storage/file_tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "worker/storage/io_watch.h"

namespace fairlap::storage {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::MakeError;

tl::unexpected<base::Error> Unreadable(const fs::path& folder, int error) {
  const ErrorKind kind = error == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo;
  return MakeError(kind,
                   folder.string() + ": cannot read this folder: " + base::SystemMessage(error));
}

class Walk {
 public:
  Walk(const fs::path& root, const std::stop_token& stop, FileTree& tree)
      : root_(root), stop_(stop), tree_(tree) {}

  base::Status Enter(const std::string& relative) {
    const fs::path folder = root_ / relative;
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) return Unreadable(folder, errno);
    const std::pair<dev_t, ino_t> id{status.st_dev, status.st_ino};
    if (std::ranges::find(above_, id) != above_.end()) {
      return MakeError(ErrorKind::kInvalidInput,
                       folder.string() + ": a link to a folder that holds it; this has no end");
    }
    tree_.folders.push_back(relative);
    above_.push_back(id);
    auto listed = List(folder, relative);
    above_.pop_back();
    return listed;
  }

 private:
  base::Status List(const fs::path& folder, const std::string& relative) {
    std::error_code error;
    IoScope scope("list", folder.native());
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (stop_.stop_requested()) {
        return MakeError(ErrorKind::kInterrupted, "stopped while listing the data set");
      }
      scope.Progress();
      const std::string name = it->path().filename().string();
      if (name.starts_with('.') || name == "lost+found") continue;
      std::string path = relative == "." ? name : relative + "/" + name;
      std::error_code ignored;
      if (!it->is_directory(ignored)) {
        tree_.files.push_back(std::move(path));
      } else if (auto entered = Enter(path); !entered) {
        return entered;
      }
    }
    if (error) return Unreadable(folder, error.value());
    return {};
  }

  const fs::path& root_;
  const std::stop_token& stop_;
  FileTree& tree_;
  std::vector<std::pair<dev_t, ino_t>> above_;
};

void SortOnce(std::vector<std::string>& paths) {
  std::ranges::sort(paths);
  const auto [first, last] = std::ranges::unique(paths);
  paths.erase(first, last);
}

}  // namespace

base::Status AddTree(const fs::path& root, const std::string& path, const std::stop_token& stop,
                     FileTree& tree) {
  auto walked = Walk(root, stop, tree).Enter(path);
  SortOnce(tree.folders);
  SortOnce(tree.files);
  return walked;
}

}  // namespace fairlap::storage

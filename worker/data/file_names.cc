#include "worker/data/file_names.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "lib/base/file.h"
#include "worker/storage/io_watch.h"

namespace fairlap::data {

namespace fs = std::filesystem;

namespace {

// In lower case, without the dot; "" if there is none.
std::string Extension(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return "";
  std::string extension = name.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

}  // namespace

base::Result<std::vector<FolderEntry>> ListFolder(const fs::path& folder) {
  std::vector<FolderEntry> entries;
  std::error_code error;
  storage::IoScope scope("list", folder.native());
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code ignored;
    entries.push_back({std::move(name), it->path(), it->is_directory(ignored)});
    scope.Progress();
  }
  if (error) {
    const auto kind = error.value() == ENOENT ? base::ErrorKind::kNotFound : base::ErrorKind::kIo;
    return base::MakeError(
        kind, folder.string() + ": cannot read this folder: " + base::SystemMessage(error.value()));
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

bool IsJpegName(const std::string& name) {
  const std::string extension = Extension(name);
  return extension == "jpg" || extension == "jpeg";
}

bool IsGrayImageName(const std::string& name) {
  const std::string extension = Extension(name);
  return extension == "tif" || extension == "tiff" || extension == "png";
}

}  // namespace fairlap::data

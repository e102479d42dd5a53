// Listing folders in an order that does not depend on the file system.
#ifndef FAIRLAP_WORKER_DATA_FILE_NAMES_H_
#define FAIRLAP_WORKER_DATA_FILE_NAMES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace fairlap::data {

struct FolderEntry {
  std::string name;
  std::filesystem::path path;
  bool is_folder = false;  // or a link to one
};

// In byte order of the names, without those that start with '.'. Errors (kNotFound, kIo) name the
// folder.
base::Result<std::vector<FolderEntry>> ListFolder(const std::filesystem::path& folder);

// Ends in .jpg or .jpeg, in any case.
bool IsJpegName(const std::string& name);
// Ends in .tif, .tiff or .png, in any case.
bool IsGrayImageName(const std::string& name);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_FILE_NAMES_H_

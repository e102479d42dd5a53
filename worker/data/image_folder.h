// Class folders of JPEGs, as ImageNet is laid out.
#ifndef FAIRLAP_WORKER_DATA_IMAGE_FOLDER_H_
#define FAIRLAP_WORKER_DATA_IMAGE_FOLDER_H_

#include <filesystem>
#include <memory>
#include <stop_token>

#include "lib/base/result.h"
#include "worker/data/dataset.h"

namespace fairlap::data {

// `folder` holds one folder a class; names starting with '.' are ignored. Images are *.jpg and
// *.jpeg in any case, in the class folder or one folder below it. Whatever has such a name is a
// sample, be it unreadable: Load then says why. Links are followed.
base::Result<std::unique_ptr<Dataset>> OpenImageFolder(const std::filesystem::path& folder,
                                                       int64_t image_size, std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_IMAGE_FOLDER_H_

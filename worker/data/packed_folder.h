// An image folder in the packed layout: the same JPEGs as ranges of a few large files.
#ifndef FAIRLAP_WORKER_DATA_PACKED_FOLDER_H_
#define FAIRLAP_WORKER_DATA_PACKED_FOLDER_H_

#include <filesystem>
#include <memory>
#include <stop_token>

#include "lib/base/result.h"
#include "worker/data/dataset.h"

namespace fairlap::data {

// One split as packed_writer.h leaves it. Samples, their order, labels, names and pixels are those
// of the image folder that was packed, and so is the identity: it is computed anew from the paths
// and sizes in the index, whose checksum must be right and whose shards must have their size.
// Nothing else is believed: what a shard holds, the decoder sees. All shards stay open, so there
// may be as many as the process may open files. Errors name the file; those of Load name the shard.
base::Result<std::unique_ptr<Dataset>> OpenPackedFolder(const std::filesystem::path& folder,
                                                        int64_t image_size, std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PACKED_FOLDER_H_

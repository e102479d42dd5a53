// Packs an image folder: the same JPEGs, byte for byte, as tar archives of a chosen size.
#ifndef FAIRLAP_WORKER_DATA_PACKED_WRITER_H_
#define FAIRLAP_WORKER_DATA_PACKED_WRITER_H_

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "lib/base/result.h"
#include "worker/data/generate.h"

namespace fairlap::data {

struct PackOptions {
  std::filesystem::path data;  // an image folder: data/train and, where it is there, data/val
  // As GenerateOptions::out; apart from `data`. The same data set packed in the same way is left as
  // it is: the same by the paths and sizes of its files.
  std::filesystem::path out;
  bool overwrite = false;  // also what looks the same
  // At most so large is a shard, unless a single sample is larger.
  int64_t shard_bytes = int64_t{256} << 20;
  uint64_t seed = 0;  // decides which samples share a shard
};

// out/train and out/val with shards and an index each (packed_index.h), and the manifest
// fairlap-dataset.json with the identities of what was packed. Samples are put into shards in
// random order, so that whoever reads a shard from its beginning meets all classes. Each sample is
// a member <class>/<file name> of its archive. Indexes are written after all shards, so that a
// folder that was not finished cannot be opened. Errors: those of OpenImageFolder for `data`;
// kInvalidInput for a sample that cannot be read, or changes meanwhile; the others as in
// generate.h.
base::Result<GeneratedDataset> PackImageFolder(const PackOptions& options,
                                               const GenerateProgress& progress,
                                               std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_PACKED_WRITER_H_

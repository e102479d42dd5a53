// A data set: an index of samples that can be loaded one by one, from any thread. Links
// libjpeg-turbo, libpng and libtiff, and no libtorch.
#ifndef FAIRLAP_WORKER_DATA_DATASET_H_
#define FAIRLAP_WORKER_DATA_DATASET_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lib/api/spec.h"
#include "lib/base/result.h"

namespace fairlap::data {

enum class Split { kTrain, kValidation };

// What a sample is, and the planes of image_size x image_size float32 that Load writes for it.
enum class SampleKind {
  kLabelledImage,  // 3 planes: red, green, blue, normalised; and a label
  kImagePair,      // 2 planes: the noisy image, then the clean one; always planes
};
constexpr int64_t PlanesOf(SampleKind kind) { return kind == SampleKind::kLabelledImage ? 3 : 2; }

// How the pixels of a labelled image lie inside its slot.
enum class PixelOrder {
  kChannelsFirst,  // C x H x W
  kChannelsLast,   // H x W x C
};

// What Load spent and read; added up by the pipeline.
struct LoadCost {
  std::chrono::nanoseconds read{}, decode{}, transform{};
  int64_t bytes = 0;       // asked of the file system
  int64_t page_bytes = 0;  // the same, every file rounded up to whole pages of memory
};

// Working memory of one input thread, reused from sample to sample.
class Scratch;

struct SampleRequest {
  int64_t index = 0;     // in [0, size)
  uint64_t random = 0;   // seeds this sample's augmentation; a function of seed, epoch and index
  bool augment = false;  // training: random crop and flip; validation: resize and centre crop
  PixelOrder order = PixelOrder::kChannelsFirst;
};

struct SampleResult {
  int64_t label = 0;
  LoadCost cost;
};

// Immutable after OpenDataset; all members may be called from several threads at once.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual SampleKind kind() const { return SampleKind::kLabelledImage; }
  virtual int64_t size() const = 0;
  virtual int64_t image_size() const = 0;  // pixels an edge of what Load writes
  virtual const std::vector<std::string>& classes() const = 0;  // in label order; of pairs: none
  virtual int64_t bytes() const = 0;  // of the indexed files, or of the samples in packed ones
  virtual std::string identity() const = 0;  // SHA-256 over sorted paths and sizes, hex
  virtual std::string SampleName(int64_t index) const = 0;  // path relative to the root

  // How many files Load opens for a sample; 0: the samples are held in memory since indexing,
  // or lie in files that many share (packed).
  virtual int64_t files_per_sample() const { return 0; }
  // The path of one of them, `file` in [0, files_per_sample).
  virtual std::string SampleFile(int64_t index, int64_t file) const;

  // Writes PlanesOf(kind()) x image_size x image_size floats to `pixels`. An error names what is
  // wrong with the file ("truncated JPEG"), without its path, which the caller has. kNotFound and
  // kIo: it could not be opened or read; all others: its bytes are no such image.
  virtual base::Result<SampleResult> Load(const SampleRequest& request, std::span<float> pixels,
                                          Scratch& scratch) const = 0;
};

struct DatasetOptions {
  api::DatasetSpec spec;
  std::filesystem::path root;  // where the volume is mounted
  Split split = Split::kTrain;
  int64_t image_size = 224;
};

// Indexes the split. Errors name the folder and what was expected there. imageFolder: class folders
// in byte order are labels 0, 1, ...; files are *.jpg, *.jpeg, *.JPEG in byte order. cifar10: the
// binary version's data_batch_*.bin and test_batch.bin (32 x 32, 10 classes), held in memory;
// train_path and validation_path do not apply, files stand in root or in root/cifar-10-batches-bin.
// carePairs: see care_pairs.h. Layout packed: see packed_folder.h.
// `stop` ends a long indexing with kInterrupted.
base::Result<std::unique_ptr<Dataset>> OpenDataset(const DatasetOptions& options,
                                                   std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_DATASET_H_

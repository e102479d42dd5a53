// Makes learnable data sets of any size, byte-identical for the same options on every machine: all
// arithmetic that decides a byte is on integers. Beside the images stands fairlap-dataset.json,
// which names the generator's version, the options, the counts and a SHA-256 over all files.
#ifndef FAIRLAP_WORKER_DATA_GENERATE_H_
#define FAIRLAP_WORKER_DATA_GENERATE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace fairlap::data {

inline constexpr std::string_view kDatasetManifestName = "fairlap-dataset.json";

struct GenerateOptions {
  // Made if missing; must be empty, or hold a data set made by us: the same one is left as it is,
  // an unfinished one is replaced, another one only with `overwrite`.
  std::filesystem::path out;
  bool overwrite = false;
  int64_t classes = 10;   // imageFolder: 1 to 10,000; cifar10: 2 to 10; carePairs has none
  int64_t images = 1000;  // training images in all; a fifth as many (at least one a class) are
                          // made for validation. At least one a class.
  uint64_t seed = 0;
  // imageFolder only. Cut the images out of the photographs (*.jpg, *.jpeg) in this folder instead
  // of drawing them: one class a photograph, in byte order of the names; `classes` of them, or all
  // if `classes` is 0. Training crops come from three quarters of a photograph, validation crops
  // from the rest.
  std::optional<std::filesystem::path> from;
  // 16 to 4096. imageFolder without `from`: 500 if absent, heights are mostly 3/4 of it. carePairs:
  // every edge of every image, 256 if absent.
  std::optional<int64_t> typical_width;
};

struct GeneratedDataset {
  int64_t classes = 0;       // carePairs: 0
  int64_t train_images = 0;  // carePairs: pairs
  int64_t validation_images = 0;
  int64_t bytes = 0;   // of all files but the manifest
  std::string sha256;  // hex, over the relative paths and contents of the files, in the order of
                       // their making, which for generated ones is that of their paths
};

// Called from the calling thread, with 0 <= done <= total, images of both splits together; a pair
// is two images.
using GenerateProgress = std::function<void(int64_t done, int64_t total)>;

// out/train/<class>/<number>.jpg and out/val/<class>/<number>.jpg. Errors: kInvalidInput (options,
// a photograph that cannot be decoded), kConflict (`out` holds something that is not ours), kIo
// with the path and the system's reason, kInterrupted. After an error or a stop `out` holds no
// manifest; the next call into the same folder starts over.
base::Result<GeneratedDataset> GenerateImageFolder(const GenerateOptions& options,
                                                   const GenerateProgress& progress,
                                                   std::stop_token stop);

// CIFAR-10's binary files: out/data_batch_1.bin to data_batch_5.bin, test_batch.bin and
// batches.meta.txt. Classes differ in structure (stripes, rings, checks, dots and their pitch), not
// in mean colour; colours, position, contrast and noise are drawn for each image. Errors as above.
base::Result<GeneratedDataset> GenerateCifar10(const GenerateOptions& options,
                                               const GenerateProgress& progress,
                                               std::stop_token stop);

// Pairs for denoising: out/train/noisy/<number>.png, out/train/clean/<number>.png and the same in
// out/val, all of 16 bits a pixel. The clean images look like fluorescence microscopy: cells with a
// texture, filaments and spots. The noisy ones are what a camera would make of them in a short
// exposure: noise whose variance grows with the light, and read noise. After the percentile
// normalisation of care_pairs.h a noisy image has a PSNR of about 20 dB, most of them 18 to 22. The
// pixels are stored without compression, as microscopes store theirs, so that no version of zlib
// decides a byte. Errors as above.
base::Result<GeneratedDataset> GenerateCarePairs(const GenerateOptions& options,
                                                 const GenerateProgress& progress,
                                                 std::stop_token stop);

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_GENERATE_H_

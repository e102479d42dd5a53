// The folder that a data set is generated or packed into, and its manifest.
#ifndef FAIRLAP_WORKER_DATA_GENERATE_OUTPUT_H_
#define FAIRLAP_WORKER_DATA_GENERATE_OUTPUT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "lib/base/json.h"
#include "lib/base/result.h"
#include "lib/base/sha256.h"
#include "worker/data/generate.h"

namespace fairlap::data {

// Validation images for so many training images.
int64_t ValidationImages(int64_t images, int64_t classes);

// How many of `images` fall to class `index`: as equal as can be, the first ones get the rest.
int64_t ImagesOfClass(int64_t images, int64_t classes, int64_t index);

// Written from its beginning to its end. Errors (kIo) name it.
class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  base::Status Open(const std::filesystem::path& path);  // makes it, or empties it
  base::Status Append(std::string_view bytes);
  base::Status Close();

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

// One generation: takes the folder over, writes one file after the other, closes with the manifest.
class DatasetOutput {
 public:
  // `description` is what makes the data set: the same description gives the same bytes. Without
  // "classes" it is a data set of pairs.
  DatasetOutput(const GenerateOptions& options, base::Json description, GenerateProgress progress,
                std::stop_token stop);
  // `counts` has classes and images; bytes and SHA-256 are filled in.
  DatasetOutput(std::filesystem::path out, bool overwrite, base::Json description,
                GeneratedDataset counts, GenerateProgress progress, std::stop_token stop);

  // The data set that is already there, if its manifest has this description and its files their
  // size.
  std::optional<GeneratedDataset> Existing() const;

  // Makes the folder, or empties ours. kConflict if it holds anything else.
  base::Status Begin();
  // Says that `images` more are made, each of a pair by itself; kInterrupted on a stop.
  base::Status Advance(int64_t images);
  base::Status Write(const std::string& relative_path, std::string_view bytes);
  // The same in pieces, which come to `size` bytes.
  base::Status BeginFile(const std::string& relative_path, int64_t size);
  base::Status Append(std::string_view bytes);
  base::Status EndFile() { return file_.Close(); }
  base::Result<GeneratedDataset> Finish();

 private:
  base::Status RemoveOurs() const;
  int64_t AllImages() const;  // of both splits

  std::filesystem::path out_;
  base::Json description_;
  GenerateProgress progress_;
  std::stop_token stop_;
  bool overwrite_;
  GeneratedDataset result_;
  OutputFile file_;
  int64_t done_ = 0;
  base::Sha256 hash_;
};

}  // namespace fairlap::data

#endif  // FAIRLAP_WORKER_DATA_GENERATE_OUTPUT_H_

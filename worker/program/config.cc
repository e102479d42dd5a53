#include "worker/program/config.h"

#include "lib/api/documents.h"
#include "lib/api/manifest.h"
#include "lib/api/yaml.h"
#include "lib/base/codec.h"
#include "lib/base/file.h"

namespace fairlap::program {
namespace {

tl::unexpected<base::Error> Refused(const std::filesystem::path& path,
                                    const base::Problems& problems) {
  std::string text = api::FormatProblems(path.string(), problems);
  while (text.ends_with('\n')) text.pop_back();
  return base::MakeError(base::ErrorKind::kInvalidInput, std::move(text));
}

}  // namespace

base::Result<api::RunConfig> ReadRunConfig(const std::filesystem::path& path) {
  const base::Result<std::string> text = base::ReadFile(path, api::kMaxYamlBytes);
  if (!text) return tl::unexpected(text.error());
  const api::YamlResult yaml = api::ParseYaml(*text);
  if (!yaml.problems.empty()) return Refused(path, yaml.problems);
  if (yaml.documents.size() != 1) {
    return base::MakeError(base::ErrorKind::kInvalidInput,
                           path.string() + ": expected exactly one YAML document, found " +
                               std::to_string(yaml.documents.size()));
  }
  api::RunConfig config;
  base::Problems problems;
  base::Decode(yaml.documents.front().root, "", config, problems);
  if (problems.empty()) return config;
  api::AddLines(yaml.documents.front(), problems);
  return Refused(path, problems);
}

}  // namespace fairlap::program

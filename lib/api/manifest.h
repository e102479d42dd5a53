// A BenchmarkRun manifest: apiVersion, kind, metadata and spec, as kubectl applies it.
#ifndef FAIRLAP_LIB_API_MANIFEST_H_
#define FAIRLAP_LIB_API_MANIFEST_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/spec.h"
#include "lib/api/yaml.h"
#include "lib/base/codec.h"

namespace fairlap::api {

struct RunManifest {
  std::string name;
  std::string ns;  // metadata.namespace, "" if absent
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  RunSpec spec;
  base::Json document;  // as the user wrote it, for the report
};

struct ManifestResult {
  std::vector<RunManifest> manifests;  // complete only if there are no problems
  base::Problems problems;             // sorted by line, each with its line
};

// Parses, decodes and checks every document of `text`: syntax, fields, types, bounds, the rules
// between fields (rules.h). Documents of another kind are a problem. Availability is not checked
// here.
ManifestResult ParseManifests(std::string_view text);

// Reads at most kMaxYamlBytes; an unreadable or oversized file is a problem without a line.
ManifestResult ReadManifests(const std::filesystem::path& path);

// "quickstart.yaml:12: warning: spec.problem..." with "warning: " as `prefix`.
// "quickstart.yaml:12: spec.stop: exactly one of ..." for each problem, a line each.
std::string FormatProblems(const std::string& file, const base::Problems& problems,
                           const std::string& prefix = "");

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_MANIFEST_H_

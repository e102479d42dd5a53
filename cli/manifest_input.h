// A manifest from the command line: read, checked, and its problems in words.
#ifndef FAIRLAP_CLI_MANIFEST_INPUT_H_
#define FAIRLAP_CLI_MANIFEST_INPUT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "lib/api/manifest.h"

namespace fairlap::cli {

struct ManifestInput {
  std::vector<api::RunManifest> manifests;  // at least one if there are no problems
  std::string problems;                     // a line each: "file:line: path: what is wrong"; or ""
  std::string warnings;                     // likewise; the manifests can be run nevertheless
};

// Checks syntax, fields, rules and what this version can do.
ManifestInput LoadManifests(const std::filesystem::path& file);

// "resnet20v1 on cifar10, batch 128, until 500 steps; 1 warm-up run and 3 repeats on cpu".
std::string DescribeRun(const api::RunManifest& manifest);

// Fields that are set and that only a cluster can honour: "spec.compute.nodeSelector".
std::vector<std::string> ClusterOnlyFields(const api::RunSpec& spec);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_MANIFEST_INPUT_H_

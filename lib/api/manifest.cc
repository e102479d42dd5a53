#include "lib/api/manifest.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "lib/api/documents.h"
#include "lib/api/rules.h"
#include "lib/base/file.h"
#include "lib/base/text.h"

namespace fairlap::api {
namespace {

using base::Json;
using base::Problems;

struct Metadata {
  std::string name;
  std::string ns;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;

  template <class V>
  static void Describe(V& v) {
    v(&Metadata::name, "name", Text(1, kMaxRunNameLength, kDnsLabel));
    v(&Metadata::ns, "namespace", Text(1, 63, kDnsLabel).Default());
    v(&Metadata::labels, "labels", Texts(0, 64, 0, 63, kLabelValue));
    v(&Metadata::annotations, "annotations", Texts(0, 64, 0, kMaxYamlBytes));
  }
};

struct Root {
  std::string api_version;
  std::string kind;
  Metadata metadata;
  RunSpec spec;

  template <class V>
  static void Describe(V& v) {
    v(&Root::api_version, "apiVersion", Text(1, 128));
    v(&Root::kind, "kind", Text(1, 63));
    v(&Root::metadata, "metadata", Plain());
    v(&Root::spec, "spec", Plain());
  }
};

// What `kubectl get -o yaml` prints beside what the user wrote: the server's, and ignored when it
// is applied again.
Json WithoutServerFields(Json root) {
  root.erase("status");
  const auto metadata = root.find("metadata");
  if (metadata == root.end() || !metadata->is_object()) return root;
  for (const char* field : {"uid", "resourceVersion", "generation", "creationTimestamp",
                            "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields",
                            "selfLink", "ownerReferences", "finalizers"}) {
    metadata->erase(field);
  }
  return root;
}

// What the document is, before anything in it is looked at.
std::optional<base::Problem> CheckKind(const Json& root) {
  if (!root.is_object()) {
    return base::Problem{"", "must be a " + std::string(kRunKind) + ", but is a " +
                                 (root.is_array() ? "list" : "single value")};
  }
  const auto kind = root.find("kind");
  if (kind == root.end() || !kind->is_string() || *kind == kRunKind) return std::nullopt;
  return base::Problem{"kind", "is " + kind->dump() + ", but must be " + std::string(kRunKind)};
}

void CheckLabelKeys(const std::map<std::string, std::string>& entries, const std::string& path,
                    Problems& problems) {
  constexpr size_t kLongestKey = 317;
  for (const auto& [key, value] : entries) {
    if (key.size() <= kLongestKey && base::codec::Matches(key, kQualifiedName)) continue;
    problems.push_back(
        {path,
         "has the key " +
             Json(key.substr(0, kLongestKey)).dump(-1, ' ', false, Json::error_handler_t::replace) +
             ", but a key must match " + std::string(kQualifiedName)});
  }
}

bool Covers(const std::string& parent, const std::string& path) {
  if (!path.starts_with(parent)) return false;
  return path.size() == parent.size() || path[parent.size()] == '.' || path[parent.size()] == '[';
}

// A rule over fields of which one could not be read would complain of a value that nobody wrote.
void AddRuleProblems(const RunSpec& spec, Problems& problems) {
  Problems kept;
  for (base::Problem& broken : CheckRules(spec)) {
    const bool spoilt = std::any_of(problems.begin(), problems.end(), [&](const auto& problem) {
      return Covers(broken.path, problem.path);
    });
    if (!spoilt) kept.push_back(std::move(broken));
  }
  problems.insert(problems.end(), kept.begin(), kept.end());
}

RunManifest ReadDocument(const YamlDocument& document, Problems& problems) {
  RunManifest manifest;
  manifest.document = document.root;
  if (auto wrong = CheckKind(document.root)) {
    problems.push_back(std::move(*wrong));
    return manifest;
  }
  Root root;
  base::Decode(WithoutServerFields(document.root), "", root, problems);
  if (!root.api_version.empty() && root.api_version != kApiVersion) {
    problems.push_back({"apiVersion", "is " + Json(root.api_version).dump() + ", but must be " +
                                          std::string(kApiVersion)});
  }
  CheckLabelKeys(root.metadata.labels, "metadata.labels", problems);
  CheckLabelKeys(root.metadata.annotations, "metadata.annotations", problems);
  AddRuleProblems(root.spec, problems);
  manifest.name = std::move(root.metadata.name);
  manifest.ns = std::move(root.metadata.ns);
  manifest.labels = std::move(root.metadata.labels);
  manifest.annotations = std::move(root.metadata.annotations);
  manifest.spec = std::move(root.spec);
  return manifest;
}

}  // namespace

ManifestResult ParseManifests(std::string_view text) {
  YamlResult yaml = ParseYaml(text);
  ManifestResult result;
  result.problems = std::move(yaml.problems);
  if (yaml.documents.empty() && result.problems.empty()) {
    result.problems.push_back({"", "is empty, but must hold a " + std::string(kRunKind)});
  }
  std::set<std::pair<std::string, std::string>> names;
  for (const YamlDocument& document : yaml.documents) {
    Problems problems;
    RunManifest manifest = ReadDocument(document, problems);
    if (!manifest.name.empty() && !names.emplace(manifest.ns, manifest.name).second) {
      problems.push_back({"metadata.name", "is the name of an earlier document, too"});
    }
    AddLines(document, problems);
    result.problems.insert(result.problems.end(), problems.begin(), problems.end());
    result.manifests.push_back(std::move(manifest));
  }
  std::stable_sort(result.problems.begin(), result.problems.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return result;
}

ManifestResult ReadManifests(const std::filesystem::path& path) {
  const base::Result<std::string> text = base::ReadFile(path, kMaxYamlBytes);
  if (text) return ParseManifests(*text);
  std::string message = text.error().message;
  // The path is printed in front of every problem.
  const std::string prefix = path.string() + ": ";
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  return ManifestResult{{}, {{"", std::move(message)}}};
}

std::string FormatProblems(const std::string& file, const Problems& problems,
                           const std::string& prefix) {
  std::string text;
  for (const base::Problem& problem : problems) {
    std::string line = file;
    if (problem.line > 0) line += ":" + std::to_string(problem.line);
    line += ": " + prefix;
    if (!problem.path.empty()) line += problem.path + ": ";
    text += base::Printable(line + problem.message) + "\n";
  }
  return text;
}

}  // namespace fairlap::api

// The CRD against the C++ structs and rules: two texts that say the same and must not drift apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "lib/api/availability.h"
#include "lib/api/manifest.h"
#include "lib/api/rules.h"
#include "lib/api/spec.h"
#include "lib/api/status.h"
#include "lib/api/yaml.h"
#include "lib/base/file.h"
#include "lib/base/schema.h"

namespace fairlap::api {
namespace {

namespace fs = std::filesystem;
using base::Json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int64_t kMaxCrdBytes = 100'000;
const fs::path kCrds = fs::path(FAIRLAP_SOURCE_DIR) / "crds";

const Json& Crd() {
  static const Json crd = [] {
    const auto text = base::ReadFile(kCrds / "fairlap.dev_benchmarkruns.yaml", kMaxCrdBytes - 1);
    if (!text) throw std::runtime_error(text.error().message);
    const YamlResult yaml = ParseYaml(*text, {.bytes = kMaxCrdBytes});
    if (!yaml.problems.empty()) throw std::runtime_error(yaml.problems[0].message);
    return yaml.documents.at(0).root;
  }();
  return crd;
}

const Json& Version() { return Crd().at("spec").at("versions").at(0); }
const Json& RootSchema() { return Version().at("schema").at("openAPIV3Schema"); }

const Json& StructSchema(const std::string& section) {
  static const Json spec = base::SchemaOf<RunSpec>();
  static const Json status = base::SchemaOf<RunStatus>();
  return section == "spec" ? spec : status;
}

// What only the CRD says: texts for people, rules, and how lists merge.
bool IsCrdOnly(const std::string& key) {
  return key == "description" || key == "x-kubernetes-validations" ||
         key == "x-kubernetes-list-type" || key == "x-kubernetes-list-map-keys" ||
         key == "x-kubernetes-map-type";
}

// A line for each difference, in both directions; at every level, the names of fields included.
void Compare(const Json& crd, const Json& structs, const std::string& path,
             std::vector<std::string>& drifts) {
  if (!crd.is_object() || !structs.is_object()) {
    if (crd != structs) drifts.push_back(path + ": CRD " + crd.dump() + ", C++ " + structs.dump());
    return;
  }
  const bool fields = path.ends_with("properties");
  for (const auto& [key, value] : crd.items()) {
    if (!fields && IsCrdOnly(key)) continue;
    if (!structs.contains(key)) {
      drifts.push_back(path + "." + key + ": only in the CRD");
    } else {
      Compare(value, structs.at(key), path + "." + key, drifts);
    }
  }
  for (const auto& [key, value] : structs.items()) {
    if (!crd.contains(key)) drifts.push_back(path + "." + key + ": only in C++");
  }
}

std::vector<std::string> Drifts(const Json& crd, const std::string& section) {
  std::vector<std::string> drifts;
  Compare(crd, StructSchema(section), section, drifts);
  return drifts;
}

// Calls `visit` for each schema below `schema`, with its path ("spec.compute.tolerations[]").
void Walk(const Json& schema, const std::string& path,
          const std::function<void(const std::string&, const Json&)>& visit) {
  visit(path, schema);
  if (schema.contains("properties")) {
    for (const auto& [name, field] : schema.at("properties").items()) {
      Walk(field, path.empty() ? name : path + "." + name, visit);
    }
  }
  if (schema.contains("items")) Walk(schema.at("items"), path + "[]", visit);
}

using RuleTexts = std::set<std::vector<std::string>>;  // path, rule, message

RuleTexts CrdRules() {
  RuleTexts rules;
  Walk(RootSchema(), "", [&](const std::string& path, const Json& schema) {
    if (!schema.contains("x-kubernetes-validations")) return;
    for (const Json& rule : schema.at("x-kubernetes-validations")) {
      rules.insert(
          {path, rule.at("rule").get<std::string>(), rule.at("message").get<std::string>()});
    }
  });
  return rules;
}

class CrdSection : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, CrdSection, ::testing::Values("spec", "status"));

TEST_P(CrdSection, SaysWhatTheStructsSay) {
  EXPECT_THAT(Drifts(RootSchema().at("properties").at(GetParam()), GetParam()), IsEmpty());
}

// Removes, in turn, every single fact of the section, and changes every single value.
TEST_P(CrdSection, CannotDriftInAnyFact) {
  const Json& schema = RootSchema().at("properties").at(GetParam());
  const Json facts = schema.flatten();
  int mutations = 0;
  for (const auto& [pointer, value] : facts.items()) {
    const Json::json_pointer at(pointer);
    bool crd_only = false;
    for (Json::json_pointer up = at; !up.empty(); up = up.parent_pointer()) {
      const bool field =
          up.parent_pointer().empty() ? false : up.parent_pointer().back() == "properties";
      crd_only = crd_only || (!field && IsCrdOnly(up.back()));
    }
    if (crd_only) continue;
    Json changed = schema;
    changed[at] = "something else";
    EXPECT_THAT(Drifts(changed, GetParam()), Not(IsEmpty())) << pointer;
    ++mutations;
  }
  EXPECT_GT(mutations, 300);
}

TEST_P(CrdSection, CannotLoseOrGainAField) {
  const Json& schema = RootSchema().at("properties").at(GetParam());
  for (const auto& [name, field] : schema.at("properties").items()) {
    Json changed = schema;
    changed["properties"].erase(name);
    EXPECT_THAT(Drifts(changed, GetParam()), Not(IsEmpty())) << name;
  }
  Json changed = schema;
  changed["properties"]["more"] = {{"type", "string"}};
  EXPECT_THAT(Drifts(changed, GetParam()), Not(IsEmpty()));
}

TEST_P(CrdSection, DescribesEveryField) {
  Walk(RootSchema().at("properties").at(GetParam()), GetParam(),
       [](const std::string& path, const Json& schema) {
         if (path.ends_with("[]")) return;
         EXPECT_GE(schema.value("description", "").size(), 4U) << path;
       });
}

TEST_P(CrdSection, SaysHowEachListMerges) {
  Walk(RootSchema().at("properties").at(GetParam()), GetParam(),
       [](const std::string& path, const Json& schema) {
         if (schema.value("type", "") != "array") return;
         EXPECT_TRUE(schema.contains("x-kubernetes-list-type")) << path;
         EXPECT_TRUE(schema.contains("maxItems")) << path << " needs a bound for the cost of rules";
       });
}

TEST(Crd, CarriesEveryRuleOfTheCode) {
  const RuleTexts crd = CrdRules();
  for (const Rule& rule : SpecRules()) {
    EXPECT_TRUE(
        crd.contains({std::string(rule.path), std::string(rule.cel), std::string(rule.message)}))
        << rule.path << ": " << rule.cel;
  }
}

TEST(Crd, HasNoRuleOfItsOwnBesideNameAndImmutability) {
  RuleTexts rest = CrdRules();
  for (const Rule& rule : SpecRules()) {
    rest.erase({std::string(rule.path), std::string(rule.cel), std::string(rule.message)});
  }
  ASSERT_EQ(rest.size(), 3U);
  for (const auto& rule : rest) {
    const bool about_name = rule[0].empty() && rule[1].starts_with("self.metadata.name");
    const bool about_change = rule[0] == "spec" && rule[1].find("oldSelf") != std::string::npos;
    EXPECT_TRUE(about_name || about_change) << rule[0] << ": " << rule[1];
  }
}

TEST(Crd, FixesEveryFieldOfTheSpecButThree) {
  std::string rule;
  for (const auto& text : CrdRules()) {
    if (text[1].find("oldSelf") != std::string::npos) rule = text[1];
  }
  const std::set<std::string> mutable_fields = {"suspend", "ttlSecondsAfterFinished",
                                                "keepFailedPods"};
  const Json spec = base::SchemaOf<RunSpec>();
  for (const auto& [name, field] : spec.at("properties").items()) {
    const bool fixed = rule.find("self." + name + " == oldSelf." + name) != std::string::npos;
    EXPECT_EQ(fixed, !mutable_fields.contains(name)) << name;
    const bool always_there = field.contains("default") ||
                              std::find(spec.at("required").begin(), spec.at("required").end(),
                                        name) != spec.at("required").end();
    if (!fixed || always_there) continue;
    EXPECT_THAT(rule, HasSubstr("has(self." + name + ") == has(oldSelf." + name + ")"));
  }
}

TEST(Crd, BoundsNamesAsTheManifestReaderDoes) {
  const Json& rules = RootSchema().at("x-kubernetes-validations");
  EXPECT_EQ(rules.at(0).at("rule"),
            "self.metadata.name.size() <= " + std::to_string(kMaxRunNameLength));
  EXPECT_EQ(rules.at(1).at("rule"), "self.metadata.name.matches('" + std::string(kDnsLabel) + "')");
}

TEST(Crd, NamesTheResource) {
  const Json& spec = Crd().at("spec");
  EXPECT_EQ(Crd().at("metadata").at("name"), "benchmarkruns.fairlap.dev");
  EXPECT_EQ(spec.at("group").get<std::string>() + "/" + Version().at("name").get<std::string>(),
            kApiVersion);
  EXPECT_EQ(spec.at("names").at("kind"), kRunKind);
  EXPECT_EQ(spec.at("names").at("shortNames"), Json::array({"bmr"}));
  EXPECT_EQ(spec.at("names").at("categories"), Json::array({"benchmarks"}));
  EXPECT_EQ(spec.at("scope"), "Namespaced");
  EXPECT_TRUE(Version().at("subresources").contains("status"));
}

TEST(Crd, PrintsColumnsOfFieldsThatExist) {
  std::set<std::string> paths = {".metadata.creationTimestamp"};
  Walk(RootSchema(), "", [&](const std::string& path, const Json&) { paths.insert("." + path); });
  std::vector<std::string> names;
  for (const Json& column : Version().at("additionalPrinterColumns")) {
    EXPECT_TRUE(paths.contains(column.at("jsonPath").get<std::string>())) << column;
    names.push_back(column.at("name").get<std::string>());
  }
  EXPECT_THAT(names, ::testing::ElementsAre("State", "Progress", "Images/s", "Age", "Live", "Model",
                                            "GPUs", "Storage"));
}

TEST(Samples, AreValidAndAvailable) {
  int samples = 0;
  for (const auto& entry : fs::directory_iterator(kCrds / "samples")) {
    const ManifestResult result = ReadManifests(entry.path());
    EXPECT_EQ(FormatProblems(entry.path().string(), result.problems), "");
    for (const RunManifest& manifest : result.manifests) {
      EXPECT_EQ(FormatProblems(entry.path().string(), CheckAvailability(manifest.spec)), "");
      EXPECT_EQ(manifest.name, entry.path().stem().string());
      ++samples;
    }
  }
  EXPECT_GE(samples, 3);
}

}  // namespace
}  // namespace fairlap::api

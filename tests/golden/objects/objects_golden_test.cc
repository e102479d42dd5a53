// The Kubernetes objects of a run, byte for byte. Each case reads inputs/<case>.yaml and compares
// what is made of it with <case>.yaml. To write the files anew, run this test with
// FAIRLAP_UPDATE_GOLDEN=1 and read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/api/manifest.h"
#include "lib/api/names.h"
#include "lib/api/yaml.h"
#include "lib/base/file.h"
#include "operator/plan/objects.h"

namespace fairlap::plan {
namespace {

using base::Json;

const std::filesystem::path kFolder =
    std::filesystem::path(FAIRLAP_SOURCE_DIR) / "tests" / "golden" / "objects";

ObservedRun ReadRun(const std::string& name) {
  const auto read = api::ReadManifests(kFolder / "inputs" / (name + ".yaml"));
  EXPECT_TRUE(read.problems.empty()) << api::FormatProblems(name, read.problems);
  ObservedRun run;
  if (read.manifests.empty()) return run;
  run.name = read.manifests[0].name;
  run.ns = read.manifests[0].ns;
  run.uid = "5b6c9f2e-6c1d-4f0e-9a43-8f0b1f0f7d11";
  run.spec = read.manifests[0].spec;
  return run;
}

Repeat RepeatAt(const ObservedRun& run, int64_t position) {
  const std::string name = api::RepeatNames(run.spec.measurement)[static_cast<size_t>(position)];
  return {name, position < run.spec.measurement.warmup_runs, position, 1,
          api::RepeatSeed(*run.spec.measurement.seed, position)};
}

void ExpectGolden(const std::string& name, const std::vector<Json>& objects) {
  std::string text;
  for (const Json& object : objects) text += (text.empty() ? "" : "---\n") + api::ToYaml(object);
  const std::filesystem::path path = kFolder / (name + ".yaml");
  if (std::getenv("FAIRLAP_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(base::WriteFileAtomically(path, text));
  }
  const auto golden = base::ReadFile(path, 1 << 20);
  ASSERT_TRUE(golden) << golden.error().message;
  EXPECT_EQ(text, *golden) << "with FAIRLAP_UPDATE_GOLDEN=1 this test writes the file anew";
}

TEST(GoldenObjects, OfACpuRun) {
  const ObservedRun run = ReadRun("cpu");
  const Repeat repeat = RepeatAt(run, 0);
  ExpectGolden("cpu", {MakeConfigMap(run, repeat), MakeJob(run, repeat, Settings{})});
}

TEST(GoldenObjects, OfAGpuRunWithEveryPlacementAndStorageField) {
  const ObservedRun run = ReadRun("gpu");
  const Repeat repeat = RepeatAt(run, 1);
  ExpectGolden("gpu", {MakeConfigMap(run, repeat), MakeJob(run, repeat, Settings{})});
}

TEST(GoldenObjects, OfARunThatAQueueAdmits) {
  const ObservedRun run = ReadRun("queued");
  ExpectGolden("queued", {MakeJob(run, RepeatAt(run, 0), Settings{})});
}

TEST(GoldenObjects, OfARunOnTwoNodes) {
  const ObservedRun run = ReadRun("multi-node");
  ExpectGolden("multi-node", {MakeJob(run, RepeatAt(run, 0), Settings{})});
}

TEST(GoldenObjects, OfARunWithAClaimOfItsOwn) {
  const ObservedRun run = ReadRun("claim");
  ExpectGolden("claim", {MakeClaim(run), MakeJob(run, RepeatAt(run, 0), Settings{})});
}

TEST(GoldenObjects, OfARunThatFillsItsClaim) {
  const ObservedRun run = ReadRun("populate");
  ASSERT_TRUE(NeedsPopulating(run.spec));
  ExpectGolden("populate", {MakeClaim(run), MakePopulateJob(run, Settings{})});
}

TEST(GoldenObjects, OfARunThatFillsItsClaimWithImagePairs) {
  const ObservedRun run = ReadRun("populate-pairs");
  ExpectGolden("populate-pairs", {MakePopulateJob(run, Settings{})});
}

TEST(GoldenObjects, OfALaterRepeatOnTheNodeOfTheFirst) {
  ObservedRun run = ReadRun("cpu");
  api::RepeatStatus& first = run.status.repeats.emplace_back();
  first.name = "w1";
  api::AttemptStatus& refused = first.attempts.emplace_back();
  refused.nodes = {"node-that-refused"};
  api::AttemptStatus& ran = first.attempts.emplace_back();
  ran.nodes = {"node-a"};
  ran.marks.container_started = "2026-03-01T12:00:00Z";
  ExpectGolden("pinned", {MakeJob(run, RepeatAt(run, 2), Settings{})});
}

}  // namespace
}  // namespace fairlap::plan

#include "lib/api/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fairlap::api {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kManifest[] = R"(apiVersion: fairlap.dev/v1alpha1
kind: BenchmarkRun
metadata:
  name: first
  namespace: lab
  labels: {team: vision}
  annotations: {example.org/note: "any text: at all"}
spec:
  software: {model: resnet50}
  problem:
    dataset: {format: imageFolder}
    batchSize: 16
    optimizer: {learningRate: "0.1"}
    stop:
      steps: 100
  compute: {device: cpu}
  storage:
    data: {claimName: photos}
)";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// What `fairlap validate` prints of the sound manifest with `from` replaced by `to`.
std::string Complaint(const std::string& from, const std::string& to) {
  return FormatProblems("run.yaml", ParseManifests(Replaced(kManifest, from, to)).problems);
}

TEST(ParseManifests, ReadsASoundManifest) {
  const ManifestResult result = ParseManifests(kManifest);
  EXPECT_THAT(FormatProblems("run.yaml", result.problems), IsEmpty());
  ASSERT_THAT(result.manifests, SizeIs(1));
  const RunManifest& manifest = result.manifests[0];
  EXPECT_EQ(manifest.name, "first");
  EXPECT_EQ(manifest.ns, "lab");
  EXPECT_EQ(manifest.labels.at("team"), "vision");
  EXPECT_EQ(manifest.annotations.at("example.org/note"), "any text: at all");
  EXPECT_EQ(manifest.spec.problem.stop.steps, 100);
  EXPECT_EQ(manifest.spec.measurement.repeats, 5);
  EXPECT_EQ(manifest.document.at("metadata").at("name"), "first");
}

TEST(ParseManifests, ReadsSeveralDocuments) {
  const std::string second = Replaced(kManifest, "name: first", "name: second");
  const ManifestResult result = ParseManifests(std::string(kManifest) + "---\n" + second);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.manifests, SizeIs(2));
}

TEST(ParseManifests, IgnoresWhatTheServerAdds) {
  const std::string text = Replaced(
      kManifest, "metadata:\n",
      "status: {anything: [1, 2]}\nmetadata:\n  uid: 0a1b\n  resourceVersion: \"12\"\n"
      "  generation: 2\n  creationTimestamp: \"2026-11-30T10:00:00Z\"\n  managedFields: [{a: b}]\n"
      "  ownerReferences: [{kind: X}]\n  finalizers: [a]\n");
  EXPECT_THAT(FormatProblems("run.yaml", ParseManifests(text).problems), IsEmpty());
}

TEST(ParseManifests, RefusesAnUnknownFieldAndNamesTheNearest) {
  const std::string text = Complaint("batchSize: 16", "batchsize: 16");
  EXPECT_THAT(text, HasSubstr("run.yaml:12: spec.problem.batchsize: is not a known field; did you "
                              "mean batchSize? Allowed here: dataset, batchSize,"));
}

TEST(ParseManifests, RefusesAnUnknownValueAndListsTheKnownOnes) {
  EXPECT_EQ(
      Complaint("device: cpu", "device: tpu"),
      "run.yaml:16: spec.compute.device: is \"tpu\", but must be one of gpu, cpu, emulated\n");
}

TEST(ParseManifests, RefusesAWrongType) {
  EXPECT_EQ(Complaint("steps: 100", "steps: \"100\""),
            "run.yaml:15: spec.problem.stop.steps: must be an integer, but is \"100\", a string\n");
  EXPECT_EQ(Complaint("compute: {device: cpu}", "compute: cpu"),
            "run.yaml:16: spec.compute: must be an object, but is \"cpu\", a string\n");
}

TEST(ParseManifests, RefusesTwoOfAnEitherOr) {
  EXPECT_EQ(
      Complaint("steps: 100", "steps: 100\n      epochs: 2"),
      "run.yaml:14: spec.problem.stop: exactly one of steps, epochs and accuracy is needed\n");
}

TEST(ParseManifests, RefusesZeroAndNegativeSizes) {
  EXPECT_EQ(Complaint("batchSize: 16", "batchSize: 0"),
            "run.yaml:12: spec.problem.batchSize: is 0, but must be from 1 to 65536\n");
  EXPECT_EQ(Complaint("batchSize: 16", "batchSize: -4"),
            "run.yaml:12: spec.problem.batchSize: is -4, but must be from 1 to 65536\n");
  EXPECT_EQ(Complaint("steps: 100", "steps: 99999999999999999999"),
            "run.yaml:15: spec.problem.stop.steps: must be an integer, but is 1e+20, a number\n");
}

TEST(ParseManifests, RefusesALearningRateThatIsNoDecimal) {
  EXPECT_THAT(
      Complaint("\"0.1\"", "fast"),
      HasSubstr("run.yaml:13: spec.problem.optimizer.learningRate: is \"fast\", but must be a "
                "decimal"));
  EXPECT_THAT(Complaint("\"0.1\"", "0.1"), HasSubstr("write it in quotes"));
  EXPECT_THAT(Complaint("\"0.1\"", "\"-0.1\""), HasSubstr("without a sign"));
}

TEST(ParseManifests, RefusesAMissingFieldAtItsParent) {
  EXPECT_EQ(Complaint("software: {model: resnet50}", "software: {}"),
            "run.yaml:9: spec.software.model: is required and missing\n");
}

TEST(ParseManifests, RefusesAliases) {
  EXPECT_THAT(Complaint("batchSize: 16", "batchSize: &b 16"),
              HasSubstr("run.yaml:12: spec.problem.batchSize: anchors (&) are not allowed"));
}

TEST(ParseManifests, RefusesOtherKindsAndVersions) {
  EXPECT_EQ(Complaint("kind: BenchmarkRun", "kind: Pod"),
            "run.yaml:2: kind: is \"Pod\", but must be BenchmarkRun\n");
  EXPECT_EQ(Complaint("v1alpha1", "v2"),
            "run.yaml:1: apiVersion: is \"fairlap.dev/v2\", but must be fairlap.dev/v1alpha1\n");
}

TEST(ParseManifests, RefusesDocumentsThatAreNoObject) {
  EXPECT_EQ(FormatProblems("f", ParseManifests("- a\n- b\n").problems),
            "f:1: must be a BenchmarkRun, but is a list\n");
  EXPECT_EQ(FormatProblems("f", ParseManifests("\nhello\n").problems),
            "f:2: must be a BenchmarkRun, but is a single value\n");
  EXPECT_EQ(FormatProblems("f", ParseManifests("# nothing\n").problems),
            "f: is empty, but must hold a BenchmarkRun\n");
  EXPECT_THAT(FormatProblems("f", ParseManifests("{}").problems),
              HasSubstr("f:1: kind: is required and missing"));
}

TEST(ParseManifests, RefusesNamesThatJobsCannotBeNamedAfter) {
  EXPECT_THAT(Complaint("name: first", "name: First_Run"),
              HasSubstr("run.yaml:4: metadata.name: is"));
  EXPECT_THAT(Complaint("name: first", "name: " + std::string(51, 'a')),
              HasSubstr("must have from 1 to 50 characters"));
  EXPECT_THAT(Complaint("name: first", "name: " + std::string(50, 'a')), IsEmpty());
  EXPECT_THAT(Complaint("name: first", "generateName: first-"),
              HasSubstr("metadata.name: is required and missing"));
}

TEST(ParseManifests, RefusesUnknownMetadata) {
  EXPECT_THAT(Complaint("labels:", "lables:"), HasSubstr("did you mean labels?"));
  EXPECT_THAT(Complaint("{team: vision}", "{\"a b\": vision}"),
              HasSubstr("metadata.labels: has the key \"a b\""));
}

TEST(ParseManifests, RefusesANameThatIsThereTwice) {
  const ManifestResult result = ParseManifests(std::string(kManifest) + "---\n" + kManifest);
  EXPECT_EQ(FormatProblems("f", result.problems),
            "f:23: metadata.name: is the name of an earlier document, too\n");
}

TEST(ParseManifests, ReportsEveryProblemInTheOrderOfLines) {
  const std::string text =
      Replaced(Replaced(Replaced(kManifest, "resnet50", "resnet5"), "claimName", "claim"),
               "steps: 100", "steps: x");
  const ManifestResult result = ParseManifests(text);
  ASSERT_THAT(result.problems, SizeIs(3));
  EXPECT_EQ(result.problems[0].line, 9);
  EXPECT_EQ(result.problems[1].line, 15);
  EXPECT_EQ(result.problems[2].line, 18);
}

TEST(ParseManifests, DoesNotComplainTwiceOfAFieldItCouldNotRead) {
  EXPECT_EQ(
      Complaint("{learningRate: \"0.1\"}", "{learningRate: high}"),
      "run.yaml:13: spec.problem.optimizer.learningRate: is \"high\", but must be a decimal of "
      "at most 24 characters such as \"0.1\" or \"5e-4\", without a sign\n");
}

TEST(ReadManifests, RefusesAFileOfTenMegabytes) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "fairlap_manifest_test_large.yaml";
  std::ofstream(path) << std::string(10 << 20, '#');
  const ManifestResult result = ReadManifests(path);
  std::filesystem::remove(path);
  EXPECT_EQ(FormatProblems("large.yaml", result.problems),
            "large.yaml: is larger than the 65536 bytes allowed here\n");
}

TEST(ReadManifests, SaysThatAFileIsMissing) {
  EXPECT_EQ(FormatProblems("/no/such.yaml", ReadManifests("/no/such.yaml").problems),
            "/no/such.yaml: cannot open: No such file or directory\n");
}

TEST(FormatProblems, KeepsEachProblemOnItsLine) {
  EXPECT_EQ(FormatProblems("f", {{"a\nb\x1b[2J", "is wrong", 3}}), "f:3: a b?[2J: is wrong\n");
}

}  // namespace
}  // namespace fairlap::api

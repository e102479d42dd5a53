#include "cli/volumes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

api::StorageSpec WithClaim(const std::string& name) {
  api::StorageSpec storage;
  storage.data.emplace().claim_name = name;
  return storage;
}

std::string ParseErrorFor(const std::vector<std::string>& flags) {
  const auto volumes = ParseVolumes(flags);
  return volumes ? "" : volumes.error().message;
}

std::string ErrorFor(const api::StorageSpec& storage, const VolumeMap& volumes) {
  const auto local = ResolveVolumes(storage, volumes);
  return local ? "" : local.error().message;
}

TEST(ParseVolumes, SplitsAtTheFirstEqualsSign) {
  const auto volumes = ParseVolumes({"photos=/data/a=b"});
  ASSERT_TRUE(volumes);
  EXPECT_EQ(volumes->at("photos"), "/data/a=b");
}

TEST(ParseVolumes, SaysWhatAFlagMustLookLike) {
  for (const char* flag : {"photos", "=dir", "photos="}) {
    EXPECT_THAT(ParseErrorFor({flag}), HasSubstr("must be CLAIM=DIR")) << flag;
  }
}

TEST(ParseVolumes, RefusesAClaimThatIsGivenTwice) {
  EXPECT_EQ(ParseErrorFor({"a=/x", "a=/y"}), "--volume a: is given twice");
}

TEST(ResolveVolumes, FindsTheFolderOfTheClaim) {
  const auto local = ResolveVolumes(WithClaim("photos"), {{"photos", "/usr/../usr"}});
  ASSERT_TRUE(local) << local.error().message;
  EXPECT_EQ(local->data, fs::path("/usr"));
}

TEST(ResolveVolumes, SaysWhichFlagIsMissing) {
  EXPECT_EQ(ErrorFor(WithClaim("photos"), {}),
            "spec.storage.data.claimName: photos has no folder; give --volume photos=DIR");
}

TEST(ResolveVolumes, SaysThatAFolderDoesNotExist) {
  EXPECT_EQ(ErrorFor(WithClaim("photos"), {{"photos", "/no/such/folder"}}),
            "--volume photos=/no/such/folder: does not exist");
}

TEST(ResolveVolumes, SaysThatAFileIsNoFolder) {
  EXPECT_EQ(ErrorFor(WithClaim("photos"), {{"photos", "/etc/passwd"}}),
            "--volume photos=/etc/passwd: is not a folder");
}

TEST(ResolveVolumes, RefusesAFlagThatNoClaimAsksFor) {
  EXPECT_EQ(ErrorFor(WithClaim("photos"), {{"photos", "/usr"}, {"fotos", "/usr"}}),
            "--volume fotos=/usr: the manifest names no such claim; it names photos");
}

TEST(ResolveVolumes, RefusesWhatOnlyAClusterCanProvide) {
  api::StorageSpec storage;
  storage.data.emplace().profile = "fast";
  EXPECT_THAT(ErrorFor(storage, {}), StartsWith("spec.storage.data.profile: only a cluster"));
  storage.data.emplace().claim_template.emplace();
  EXPECT_THAT(ErrorFor(storage, {}), StartsWith("spec.storage.data.claimTemplate: only a cluster"));
}

TEST(ResolveVolumes, NeedsNothingForSyntheticData) { EXPECT_EQ(ErrorFor({}, {}), ""); }

TEST(ResolveVolumes, TakesTheResultsClaimOnlyWhereItIsMapped) {
  api::StorageSpec storage;
  storage.results.emplace().claim_name = "results";
  EXPECT_FALSE(ResolveVolumes(storage, {})->results);
  EXPECT_EQ(ResolveVolumes(storage, {{"results", "/usr"}})->results, fs::path("/usr"));
}

}  // namespace
}  // namespace fairlap::cli

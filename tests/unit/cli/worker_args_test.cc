#include "cli/worker_args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operator/plan/objects.h"

namespace fairlap::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

LocalPaths Paths() {
  return {"/out/run.yaml", "/out/repeats", "/out/message",
          "/out/scratch",  "/out/address", "/photos"};
}

base::Json JobWith(const std::vector<std::string>& args) {
  base::Json job;
  job["spec"]["template"]["spec"]["containers"] = {{{"args", args}}};
  return job;
}

TEST(MakeWorkerArgs, PutsLocalPathsInTheMountPathsPlaces) {
  const auto args = MakeWorkerArgs(
      JobWith({"--config=/etc/fairlap/run.yaml", "--data=/data", "--scratch=/scratch",
               "--results=/results/x", "--termination-message=/dev/termination-log",
               "--listen=0.0.0.0:9400"}),
      Paths());
  ASSERT_TRUE(args);
  EXPECT_THAT(*args, ElementsAre("--config=/out/run.yaml", "--data=/photos",
                                 "--scratch=/out/scratch", "--results=/out/repeats/x",
                                 "--termination-message=/out/message", "--listen=127.0.0.1:0",
                                 "--address-file=/out/address", "--exit-with-parent"));
}

TEST(MakeWorkerArgs, LeavesPathsAloneThatOnlyStartLikeAMount) {
  const auto args = MakeWorkerArgs(JobWith({"--other=/database", "--flag"}), Paths());
  ASSERT_TRUE(args);
  EXPECT_THAT(*args, Contains("--other=/database"));
  EXPECT_THAT(*args, Contains("--flag"));
}

TEST(MakeWorkerArgs, LeavesOutTheDataOfASyntheticRun) {
  LocalPaths paths = Paths();
  paths.data.reset();
  const auto args = MakeWorkerArgs(JobWith({"--data=/data"}), paths);
  ASSERT_TRUE(args);
  EXPECT_THAT(*args, Not(Contains(StartsWith("--data="))));
}

TEST(MakeWorkerArgs, LeavesNoMountPathOfThePlannersOwnJob) {
  plan::ObservedRun run;
  run.name = "run";
  run.uid = "local-1";
  run.spec.problem.batch_size = 8;
  run.spec.problem.stop.steps = 1;
  run.spec.storage.data.emplace().claim_name = "photos";
  const auto args =
      MakeWorkerArgs(plan::MakeJob(run, {"1", false, 0, 1, 7}, plan::Settings{}), Paths());
  ASSERT_TRUE(args) << args.error().message;
  for (const char* mount : {plan::kConfigFile, plan::kDataMount, plan::kResultsMount,
                            plan::kTerminationFile, "0.0.0.0"}) {
    EXPECT_THAT(*args, Not(Contains(testing::HasSubstr(std::string("=") + mount))));
  }
  EXPECT_THAT(*args, Contains("--data=/photos"));
}

TEST(MakeWorkerArgs, RefusesAJobWithoutArguments) { EXPECT_FALSE(MakeWorkerArgs({}, Paths())); }

}  // namespace
}  // namespace fairlap::cli

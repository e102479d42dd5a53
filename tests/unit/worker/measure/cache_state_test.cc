#include "worker/measure/cache_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlap::measure {
namespace {

using api::CacheState;
using ::testing::HasSubstr;

// What shows that a cache was as asked.
CacheEvidence Evidence(api::Cache asked) {
  CacheEvidence evidence;
  evidence.asked = asked;
  evidence.files = 1000;
  evidence.file_system = "ext4";
  if (asked == api::Cache::kCold) evidence.sample = {.probed = 300, .resident = 0};
  evidence.requested_bytes = 1000;
  evidence.fetched_bytes = asked == api::Cache::kCold ? 1000 : 0;
  return evidence;
}

void ExpectUnverified(const CacheEvidence& evidence, const std::string& reason) {
  const CacheVerdict verdict = JudgeCache(evidence);
  EXPECT_EQ(verdict.state, CacheState::kUnverified);
  EXPECT_THAT(verdict.reason, HasSubstr(reason));
  EXPECT_LE(verdict.reason.size(), 256U);
}

TEST(JudgeCache, SaysAsIsOfWhatWasLeftAlone) {
  const CacheVerdict verdict = JudgeCache({});
  EXPECT_EQ(verdict.state, CacheState::kAsIs);
  EXPECT_EQ(verdict.reason, "");
}

TEST(JudgeCache, CallsColdWhatWasFetchedOnce) {
  CacheEvidence evidence = Evidence(api::Cache::kCold);
  for (const int64_t fetched : {990, 1000, 1200}) {
    evidence.fetched_bytes = fetched;
    EXPECT_EQ(JudgeCache(evidence).state, CacheState::kCold) << fetched;
  }
  EXPECT_EQ(JudgeCache(evidence).reason,
            "0 of 300 sampled pages were in memory, 120 % of the bytes were fetched in the first "
            "pass");
}

TEST(JudgeCache, DoesNotCallColdWhatCameFromMemoryOrWasReadAround) {
  CacheEvidence evidence = Evidence(api::Cache::kCold);
  evidence.fetched_bytes = 989;
  ExpectUnverified(evidence, "98.9 % of the bytes");
  evidence.fetched_bytes = 1201;
  ExpectUnverified(evidence, "120.1 % of the bytes");
}

TEST(JudgeCache, DoesNotCallColdWhatStayedInMemory) {
  CacheEvidence evidence = Evidence(api::Cache::kCold);
  evidence.sample->resident = 1;
  ExpectUnverified(evidence, "1 of 300 sampled pages stayed in memory");
}

TEST(JudgeCache, DoesNotCallColdWhatWasNotLookedAt) {
  CacheEvidence evidence = Evidence(api::Cache::kCold);
  evidence.sample->probed = 0;
  ExpectUnverified(evidence, "could not be seen");
  evidence.sample.reset();
  ExpectUnverified(evidence, "could not be seen");
}

TEST(JudgeCache, LetsTheServersCountDecideWhereNfsTellsOfNoPage) {
  CacheEvidence evidence = Evidence(api::Cache::kCold);
  evidence.file_system = "nfs4";
  evidence.sample->probed = 0;
  EXPECT_EQ(JudgeCache(evidence).state, CacheState::kCold);
  evidence.fetched_bytes = 500;
  ExpectUnverified(evidence, "50 % of the bytes");
}

TEST(JudgeCache, CallsWarmWhatFetchesAtMostOneInAHundred) {
  CacheEvidence evidence = Evidence(api::Cache::kWarm);
  evidence.fetched_bytes = 10;
  EXPECT_EQ(JudgeCache(evidence).state, CacheState::kWarm);
  EXPECT_EQ(JudgeCache(evidence).reason, "1 % of the bytes were fetched in the first pass");
  evidence.fetched_bytes = 11;
  ExpectUnverified(evidence, "1.1 % of the bytes");
}

TEST(JudgeCache, VerifiesNothingWhereNobodyTellsWhatIsFetched) {
  for (const auto asked : {api::Cache::kCold, api::Cache::kWarm}) {
    for (const char* file_system :
         {"tmpfs", "fuse", "fuse.s3fs", "overlay", "zfs", "btrfs", "9p", "unknown", ""}) {
      CacheEvidence evidence = Evidence(asked);
      evidence.file_system = file_system;
      ExpectUnverified(evidence, "cannot be verified");
    }
    CacheEvidence evidence = Evidence(asked);
    evidence.fetched_bytes.reset();
    ExpectUnverified(evidence, "does not tell");
  }
}

TEST(JudgeCache, VerifiesNothingBeforeTheFilesHaveBeenReadOnce) {
  CacheEvidence evidence = Evidence(api::Cache::kWarm);
  evidence.requested_bytes = 0;
  ExpectUnverified(evidence, "not finished");
}

TEST(JudgeCache, VerifiesNothingOfSamplesInMemoryOrFilesInSeveralPlaces) {
  CacheEvidence evidence = Evidence(api::Cache::kCold);
  evidence.one_file_system = false;
  ExpectUnverified(evidence, "several file systems");
  evidence.files = 0;
  ExpectUnverified(evidence, "held in memory");
}

TEST(CountingOf, KnowsTheFileSystemsThatWereTried) {
  EXPECT_EQ(CountingOf("ext4"), FetchCounting::kDevice);
  EXPECT_EQ(CountingOf("xfs"), FetchCounting::kDevice);
  EXPECT_EQ(CountingOf("nfs"), FetchCounting::kServer);
  EXPECT_EQ(CountingOf("nfs4"), FetchCounting::kServer);
  EXPECT_EQ(CountingOf("ext2"), FetchCounting::kNone);
}

}  // namespace
}  // namespace fairlap::measure

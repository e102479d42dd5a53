#include "worker/train/sample_ledger.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlap::train {
namespace {

void Note(SampleLedger& ledger, std::vector<int64_t> indices) { ledger.Note(indices); }

TEST(SampleLedger, KnowsNothingBeforeAnEpochIsWhole) {
  SampleLedger ledger(3);
  Note(ledger, {0, 2});
  EXPECT_EQ(ledger.every_sample_once(), std::nullopt);
}

TEST(SampleLedger, AcceptsEveryOrderOfEveryEpoch) {
  SampleLedger ledger(3);
  Note(ledger, {2, 0});
  Note(ledger, {1});
  ledger.EndEpoch(0);
  Note(ledger, {1, 2, 0});
  ledger.EndEpoch(0);
  EXPECT_EQ(ledger.every_sample_once(), true);
}

TEST(SampleLedger, NoticesASampleSeenTwice) {
  SampleLedger ledger(3);
  Note(ledger, {0, 1, 0});
  EXPECT_EQ(ledger.every_sample_once(), false);
}

TEST(SampleLedger, NoticesAMissingSampleForGood) {
  SampleLedger ledger(3);
  Note(ledger, {0, 1});
  ledger.EndEpoch(0);
  Note(ledger, {0, 1, 2});
  ledger.EndEpoch(0);
  EXPECT_EQ(ledger.every_sample_once(), false);
}

TEST(SampleLedger, AllowsAsManyMissingAsThereAreBadFiles) {
  SampleLedger ledger(3);
  Note(ledger, {0, 1});
  ledger.EndEpoch(1);
  EXPECT_EQ(ledger.every_sample_once(), true);
}

}  // namespace
}  // namespace fairlap::train

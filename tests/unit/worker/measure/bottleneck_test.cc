#include "worker/measure/bottleneck.h"

#include <gtest/gtest.h>

namespace fairlap::measure {
namespace {

using api::Bottleneck;

// 100 s in which training waited for 40 s and two input threads were always busy, most with
// reading.
BottleneckFacts Waiting() {
  return {.wall_seconds = 100,
          .wait_seconds = 40,
          .input_threads = 2,
          .busy = {.read = 120, .decode = 60, .transform = 20},
          .block_variation = 0.01};
}

TEST(JudgeBottleneck, NamesTheStageThatKeepsTheInputThreadsBusy) {
  BottleneckFacts facts = Waiting();
  const BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kRead);
  EXPECT_EQ(verdict.runner_up, std::nullopt);
  EXPECT_EQ(verdict.reason,
            "input stall 40 %, exposed copy 0 %, input threads 100 % busy (read 60 %, decode 30 %, "
            "transform 10 %)");
  facts.busy = {.read = 20, .decode = 120, .transform = 60};
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kDecode);
  facts.busy = {.read = 20, .decode = 60, .transform = 120};
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kTransform);
}

TEST(JudgeBottleneck, ShowsTheFiguresThatLedToIt) {
  BottleneckFacts facts = Waiting();
  facts.exposed_copy_seconds = 5;
  facts.busy.read = 100;
  const BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_DOUBLE_EQ(*verdict.input_stall_share, 0.4);
  EXPECT_DOUBLE_EQ(*verdict.exposed_copy_share, 0.05);
  EXPECT_DOUBLE_EQ(*verdict.input_threads_busy_ratio, 0.9);
}

TEST(JudgeBottleneck, NamesTheUpstreamStageOfTwoThatAreWithinTenPoints) {
  BottleneckFacts facts = Waiting();
  facts.busy = {.read = 88, .decode = 104, .transform = 8};  // 44, 52 and 4 %
  BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kRead);
  EXPECT_EQ(verdict.runner_up, Bottleneck::kDecode);
  EXPECT_TRUE(verdict.reason.starts_with("runner-up decode; input stall 40 %")) << verdict.reason;

  facts.busy = {.read = 84, .decode = 108, .transform = 8};  // 42, 54 and 4 %
  verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kDecode);
  EXPECT_EQ(verdict.runner_up, std::nullopt);
}

TEST(JudgeBottleneck, NamesTheRunnerUpOfTheUpstreamStageThatIsTheBusiest) {
  BottleneckFacts facts = Waiting();
  facts.busy = {.read = 60, .decode = 72, .transform = 68};  // 30, 36 and 34 %
  BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kRead);
  EXPECT_EQ(verdict.runner_up, Bottleneck::kDecode);
  facts.busy = {.read = 20, .decode = 92, .transform = 88};
  verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kDecode);
  EXPECT_EQ(verdict.runner_up, Bottleneck::kTransform);
}

TEST(JudgeBottleneck, NamesComputeBelowFivePercentOfStallAndCopyTogether) {
  BottleneckFacts facts = Waiting();
  facts.wait_seconds = 2.4;
  facts.exposed_copy_seconds = 2.5;
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kCompute);
  facts.exposed_copy_seconds = 2.6;
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kCopy);
}

TEST(JudgeBottleneck, NamesCommunicationWhereAllReducesAreExposedForMoreThanTenPercent) {
  BottleneckFacts facts = Waiting();
  facts.wait_seconds = 1;
  facts.exposed_all_reduce_seconds = 10;
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kCompute);
  facts.exposed_all_reduce_seconds = 11;
  const BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kCommunicate);
  EXPECT_TRUE(verdict.reason.starts_with("exposed all-reduce 11 %; ")) << verdict.reason;
  facts.wait_seconds = 40;  // waiting for input goes before it
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kRead);
}

TEST(JudgeBottleneck, NamesTheCopyThatTakesAsLongAsTheWaiting) {
  BottleneckFacts facts = Waiting();
  facts.exposed_copy_seconds = 39;
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kRead);
  facts.exposed_copy_seconds = 40;
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kCopy);
}

TEST(JudgeBottleneck, FindsTheQueueTooShallowWhereInputThreadsIdle) {
  BottleneckFacts facts = Waiting();
  facts.busy.read = 90;  // of 200, with 60 and 20
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kRead);
  facts.busy.read = 89;
  const BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kUnsteady);
  EXPECT_TRUE(verdict.reason.starts_with(
      "input threads idle while training waited; input stall 40 %, exposed copy 0 %, input threads "
      "84.5 % busy"))
      << verdict.reason;
}

TEST(JudgeBottleneck, NamesNoStageOfAnUnsteadyWindow) {
  BottleneckFacts facts = Waiting();
  facts.block_variation = 0.05;
  EXPECT_EQ(JudgeBottleneck(facts).bottleneck, Bottleneck::kRead);
  facts.block_variation = 0.072;
  const BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kUnsteady);
  EXPECT_TRUE(verdict.reason.starts_with("step times vary by 7.2 % over 10 blocks; input stall"))
      << verdict.reason;
}

TEST(JudgeBottleneck, DoesNotWaitForSyntheticData) {
  const BottleneckFacts facts{.wall_seconds = 100, .wait_seconds = 6, .block_variation = 0};
  const BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kCompute);
  EXPECT_EQ(verdict.input_stall_share, 0);
  EXPECT_EQ(verdict.input_threads_busy_ratio, std::nullopt);
}

TEST(JudgeBottleneck, MeasuresNothingWithoutTenBlocks) {
  BottleneckFacts facts = Waiting();
  facts.block_variation.reset();
  BottleneckVerdict verdict = JudgeBottleneck(facts);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kNotMeasured);
  EXPECT_EQ(verdict.reason, "fewer than 20 steps in the window");
  EXPECT_DOUBLE_EQ(*verdict.input_stall_share, 0.4);
  verdict = JudgeBottleneck({});
  EXPECT_EQ(verdict.bottleneck, Bottleneck::kNotMeasured);
  EXPECT_EQ(verdict.input_stall_share, std::nullopt);
}

// The longest text there can be; the status takes 256 bytes.
TEST(JudgeBottleneck, KeepsItsReasonShort) {
  BottleneckFacts facts = Waiting();
  facts.wait_seconds = 43.21;
  facts.exposed_copy_seconds = 12.34;
  facts.busy = {.read = 56.78, .decode = 57.89, .transform = 58.91};
  for (const double variation : {0.0123, 123.4}) {
    facts.block_variation = variation;
    EXPECT_LE(JudgeBottleneck(facts).reason.size(), 256U);
  }
}

}  // namespace
}  // namespace fairlap::measure

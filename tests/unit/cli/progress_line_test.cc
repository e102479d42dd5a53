#include "cli/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/text.h"

namespace fairlap::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const LineStyle kPlain{120, false, false};

ProgressView HalfWay() {
  ProgressView view;
  view.position = 2;
  view.count = 3;
  api::Progress& worker = view.worker.emplace();
  worker.phase = "training";
  worker.step = 50;
  worker.total_steps = 100;
  worker.percent = 50;
  worker.samples_per_second = 312.44;
  worker.eta_seconds = 34;
  worker.loss = 2.1234;
  worker.stage_seconds.read = 1;
  worker.stage_seconds.decode = 3;
  worker.stage_seconds.wait = 1;
  worker.stage_seconds.forward = 3;
  worker.stage_seconds.backward = 6;
  return view;
}

TEST(RenderProgress, ShowsHowFarHowFastAndWhereTheTimeGoes) {
  EXPECT_THAT(RenderProgress(HalfWay(), kPlain),
              testing::ElementsAre(
                  "repeat 2/3 [##########----------]  50 %  312.4 images/s  ETA 0:34  step 50/100  "
                  "loss 2.123",
                  "step %: wait 10 forward 30 backward 60  input %: read 25 decode 75"));
}

TEST(RenderProgress, PrefersTheWholeRunsRemainingTime) {
  ProgressView view = HalfWay();
  view.eta_seconds = 3723;
  EXPECT_THAT(RenderProgress(view, kPlain)[0], HasSubstr("ETA 1:02:03"));
}

TEST(RenderProgress, FitsEveryWidth) {
  ProgressView view = HalfWay();
  view.warmup = true;
  for (const bool utf8 : {false, true}) {
    for (int64_t width = 1; width < 200; ++width) {
      for (const std::string& line : RenderProgress(view, {width, utf8, false})) {
        EXPECT_LE(base::CountCharacters(line), width) << line;
      }
    }
  }
}

TEST(RenderProgress, UsesPlainCharactersWithoutUtf8) {
  for (const std::string& line : RenderProgress(HalfWay(), kPlain)) {
    for (const char c : line) EXPECT_TRUE(c >= ' ' && c < 0x7f) << line;
  }
}

TEST(RenderProgress, ColoursTheBarOnlyWhenAsked) {
  EXPECT_THAT(RenderProgress(HalfWay(), {120, true, true})[0], HasSubstr("\x1b[32m"));
  EXPECT_THAT(RenderProgress(HalfWay(), {120, true, false})[0], Not(HasSubstr("\x1b")));
}

TEST(RenderProgress, SaysThatAWorkerIsStarting) {
  ProgressView view = HalfWay();
  view.worker.reset();
  EXPECT_THAT(RenderProgress(view, kPlain)[0], testing::EndsWith("  starting"));
}

TEST(RenderProgress, LetsNoControlSequenceOfAWorkerThrough) {
  ProgressView view = HalfWay();
  view.worker->phase = "\x1b[2J";
  EXPECT_THAT(RenderProgress(view, kPlain)[0], Not(HasSubstr("\x1b")));
}

TEST(RenderProgress, StaysInItsBoundsWhateverTheWorkerSays) {
  ProgressView view = HalfWay();
  view.worker->percent = 1e300;
  EXPECT_THAT(RenderProgress(view, kPlain)[0], HasSubstr("[####################]  100 %"));
  view.worker->percent = -5;
  EXPECT_THAT(RenderProgress(view, kPlain)[0], HasSubstr("[--------------------]  0 %"));
}

TEST(RenderPlainProgress, IsOneLineWithoutABar) {
  const std::string line = RenderPlainProgress(HalfWay());
  EXPECT_THAT(line, StartsWith("repeat 2/3  50 %  312.4 images/s"));
  EXPECT_THAT(line, HasSubstr("input %: read 25 decode 75"));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
}

TEST(FormatDuration, CountsSecondsMinutesAndHours) {
  EXPECT_EQ(FormatDuration(0), "0:00");
  EXPECT_EQ(FormatDuration(59.6), "1:00");
  EXPECT_EQ(FormatDuration(3599), "59:59");
  EXPECT_EQ(FormatDuration(1e300), "277777:46:40");
}

}  // namespace
}  // namespace fairlap::cli

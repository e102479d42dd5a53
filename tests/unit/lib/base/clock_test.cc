#include "lib/base/clock.h"

#include <gtest/gtest.h>

namespace fairlap::base {
namespace {

TEST(FormatTime, WritesMicrosecondsInUtc) {
  EXPECT_EQ(FormatTime(WallTime(std::chrono::microseconds(1'000'000'000'000'123))),
            "2001-09-09T01:46:40.000123Z");
}

TEST(ParseTime, ReadsBackWhatWasFormatted) {
  const WallTime time(std::chrono::microseconds(1'780'000'000'000'001));
  EXPECT_EQ(ParseTime(FormatTime(time)), time);
}

TEST(ParseTime, ReadsWholeSeconds) {
  EXPECT_EQ(ParseTime("2001-09-09T01:46:40Z"), WallTime(std::chrono::seconds(1'000'000'000)));
}

TEST(ParseTime, RefusesOtherTexts) {
  for (const char* text : {"", "yesterday", "2001-09-09", "2001-09-09T01:46:40",
                           "2001-09-09T01:46:40+01:00", "2001-09-09T01:46:40.Zx"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace fairlap::base

#include "lib/base/text.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlap::base {
namespace {

TEST(Prefix, NeverEndsInsideACharacter) {
  EXPECT_EQ(Prefix("a\u00e9\u20ac", 9), "a\u00e9\u20ac");
  EXPECT_EQ(Prefix("a\u00e9\u20ac", 5), "a\u00e9");
  EXPECT_EQ(Prefix("a\u00e9\u20ac", 2), "a");
  EXPECT_EQ(Prefix("\u20ac", 2), "");
}

TEST(Cut, MarksWhatItLeftOut) {
  EXPECT_EQ(Cut("short", 5), "short");
  EXPECT_EQ(Cut("longer", 5), "lo...");
  EXPECT_EQ(Cut("\u20ac\u20ac", 5), "...");
}

TEST(CountCharacters, CountsCodePoints) { EXPECT_EQ(CountCharacters("a\u00e9\u20ac"), 3); }

TEST(Printable, LetsNoControlSequenceThrough) {
  EXPECT_EQ(Printable("a\x1b[2Jb\x7f\nc\td"), "a?[2Jb? c d");
}

TEST(Join, PutsSeparatorsBetween) {
  EXPECT_EQ(Join(std::vector<std::string>{"1", "w1"}), "1, w1");
  EXPECT_EQ(Join(std::vector<std::string_view>{}), "");
}

}  // namespace
}  // namespace fairlap::base

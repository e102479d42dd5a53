#include "lib/base/encoding.h"

#include <gtest/gtest.h>

namespace fairlap::base {
namespace {

TEST(Base64, RoundTripsEveryLength) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(FromBase64(ToBase64(bytes)).value(), bytes);
    bytes += static_cast<char>(i * 37);
  }
  EXPECT_EQ(ToBase64("fair"), "ZmFpcg==");  // RFC 4648's alphabet and padding
}

TEST(Base64, RefusesWhatItWouldNotWrite) {
  for (const char* text : {"Zm", "Zm9v\n", " Zm9v", "Zm9=", "Zm9$", "====", "Zg==Zg=="}) {
    EXPECT_FALSE(FromBase64(text).has_value()) << text;
  }
}

TEST(Gzip, RoundTripsAndIsDeterministic) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(Gunzip(Gzip(text), 1 << 20).value(), text);
  EXPECT_EQ(Gzip(text), Gzip(text));
  EXPECT_LT(Gzip(text).size(), 1000U);
  EXPECT_EQ(Gunzip(Gzip(""), 10).value(), "");
}

TEST(Gunzip, RefusesCutsGarbageAndBombs) {
  const std::string packed = Gzip(std::string(100'000, 'x'));
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_FALSE(Gunzip(packed.substr(0, size), 1 << 20).has_value()) << size;
  }
  EXPECT_FALSE(Gunzip(packed + "x", 1 << 20).has_value());
  EXPECT_FALSE(Gunzip("no gzip at all", 1 << 20).has_value());
  const auto bomb = Gunzip(packed, 99'999);
  ASSERT_FALSE(bomb.has_value());
  EXPECT_NE(bomb.error().message.find("larger than the 99999 bytes"), std::string::npos);
}

}  // namespace
}  // namespace fairlap::base

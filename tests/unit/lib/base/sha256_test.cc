#include "lib/base/sha256.h"

#include <gtest/gtest.h>

namespace fairlap::base {
namespace {

TEST(Sha256, GivesTheStandardsDigests) {
  // FIPS 180-2, appendix B.1, and the empty message.
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, TakesPieces) {
  Sha256 hash;
  hash.Add("a");
  hash.Add("bc");
  EXPECT_EQ(hash.HexDigest(), Sha256Hex("abc"));
}

}  // namespace
}  // namespace fairlap::base

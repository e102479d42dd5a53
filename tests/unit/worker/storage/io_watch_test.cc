#include "worker/storage/io_watch.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace fairlap::storage {
namespace {

std::string PathWaitedFor() {
  const auto wait = LongestIoWait();
  return wait ? wait->action + " " + wait->path : "";
}

TEST(IoWatch, KnowsOfNothingWhenNobodyWaits) {
  { const IoScope scope("read", "a"); }
  EXPECT_EQ(PathWaitedFor(), "");
}

TEST(IoWatch, NamesWhatAnotherThreadWaitsFor) {
  std::latch began(1), seen(1);
  const std::jthread reader([&] {
    const IoScope scope("read", "/data/a.jpg");
    began.count_down();
    seen.wait();
  });
  began.wait();
  EXPECT_EQ(PathWaitedFor(), "read /data/a.jpg");
  seen.count_down();
}

TEST(IoWatch, NamesTheLongestWait) {
  const IoScope first("list", "first");
  std::thread([] {
    const IoScope second("read", "second");
    EXPECT_EQ(PathWaitedFor(), "list first");
  }).join();
}

TEST(IoWatch, CountsFromTheLastProgress) {
  IoScope first("list", "first");
  std::thread([&] {
    const IoScope second("read", "second");
    EXPECT_EQ(PathWaitedFor(), "list first");
  }).join();
  const auto before = LongestIoWait()->since;
  first.Progress();
  EXPECT_GT(LongestIoWait()->since, before);
}

TEST(IoWatch, GoesOnWithTheOuterWaitAnewWhenAnInnerOneEnds) {
  const IoScope outer("list", "outer");
  const auto began = LongestIoWait()->since;
  {
    const IoScope inner("read", "inner");
    EXPECT_EQ(PathWaitedFor(), "read inner");
  }
  EXPECT_EQ(PathWaitedFor(), "list outer");
  EXPECT_GT(LongestIoWait()->since, began);
}

TEST(IoWatch, ForgetsThreadsThatEnded) {
  for (int i = 0; i < 10; ++i) {
    std::thread([] { const IoScope scope("read", "x"); }).join();
  }
  EXPECT_FALSE(LongestIoWait());
}

}  // namespace
}  // namespace fairlap::storage

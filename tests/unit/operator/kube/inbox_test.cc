#include "operator/kube/inbox.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace fairlap::kube {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{60};

TEST(Inbox, LetsAWriterWaitThatIsAMebibyteAhead) {
  Inbox inbox;
  inbox.PutHead({200, 0, {}});
  const std::vector<uint8_t> piece(1 << 20);
  EXPECT_TRUE(inbox.Put(piece.data(), 10).is_done());
  const auto waiting = inbox.Put(piece.data(), piece.size());
  EXPECT_FALSE(waiting.is_done());
  EXPECT_EQ(inbox.Wait(steady_clock::now() + kPatience, {}).data.size(), piece.size() + 10);
  EXPECT_EQ(waiting.get(), piece.size());
}

TEST(Inbox, DropsWhatIsWrittenWhenNobodyReadsAnyMore) {
  Inbox inbox;
  const std::vector<uint8_t> piece(2 << 20);
  const auto waiting = inbox.Put(piece.data(), piece.size());
  inbox.Close();
  EXPECT_EQ(waiting.get(), piece.size());
  EXPECT_TRUE(inbox.Put(piece.data(), piece.size()).is_done());
}

TEST(Inbox, EndsAtAPieceOfAnImpossibleSize) {
  Inbox inbox;
  inbox.PutHead({200, 0, {}});
  const uint8_t byte = 0;
  EXPECT_TRUE(inbox.Put(&byte, static_cast<size_t>(-1)).is_done());
  const Inbox::News news = inbox.Wait(steady_clock::now() + kPatience, {});
  EXPECT_TRUE(news.ended);
  EXPECT_TRUE(news.error);
}

}  // namespace
}  // namespace fairlap::kube

#include "worker/program/memory_guard.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

namespace fairlap::program {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

TEST(DataLimit, LeavesTheKernelAFiftiethAndAddsWhatIsMappedUntouched) {
  EXPECT_EQ(DataLimit(50 * kGiB, 3 * kGiB, kGiB), 49 * kGiB + 2 * kGiB);
  EXPECT_EQ(DataLimit(50 * kGiB, kGiB, 3 * kGiB), 49 * kGiB);
}

bool CanMap(int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, static_cast<size_t>(bytes));
  return true;
}

TEST(GuardMemory, RefusesMoreThanTheControlGroupAllowsUntilItIsLifted) {
  GuardMemory(4 * kGiB);
  EXPECT_FALSE(CanMap(5 * kGiB));
  EXPECT_TRUE(CanMap(2 * kGiB));
  LiftMemoryGuard();
  EXPECT_TRUE(CanMap(5 * kGiB));
}

TEST(GuardMemory, RefusesMoreThanTheMachineHasAvailableWithoutALimit) {
  GuardMemory(std::nullopt);
  EXPECT_FALSE(CanMap(int64_t{1} << 46));
  LiftMemoryGuard();
}

}  // namespace
}  // namespace fairlap::program

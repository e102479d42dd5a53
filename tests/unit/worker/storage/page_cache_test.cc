#include "worker/storage/page_cache.h"

#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace fairlap::storage {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPage = 4096;

TEST(RoundUpToPages, CountsThePartOfAPageAsOne) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  EXPECT_EQ(RoundUpToPages(0), 0);
  EXPECT_EQ(RoundUpToPages(1), page);
  EXPECT_EQ(RoundUpToPages(page), page);
  EXPECT_EQ(RoundUpToPages(page + 1), 2 * page);
}

std::vector<FileFacts> Files(const std::vector<int64_t>& sizes) {
  std::vector<FileFacts> files;
  for (const int64_t size : sizes) {
    files.push_back({.device = 1, .inode = files.size() + 1, .bytes = size});
  }
  return files;
}

TEST(ChoosePages, TakesDistinctFilesAndPagesInsideThem) {
  const auto files = Files(std::vector<int64_t>(1000, 5 * 65'536));
  const auto pages = ChoosePages(files, 300, 7);
  ASSERT_EQ(pages.size(), 300U);
  std::set<int64_t> chosen, places;
  for (const PageSample& sample : pages) {
    chosen.insert(sample.file);
    places.insert(sample.page);
    EXPECT_GE(sample.page, 0);
    EXPECT_LT(sample.page, 5 * 65'536 / sysconf(_SC_PAGESIZE));
  }
  EXPECT_EQ(chosen.size(), 300U);
  EXPECT_GT(*chosen.rbegin(), 900) << "the last files are left out";
  EXPECT_GT(places.size(), 3U) << "always the same page";
}

TEST(ChoosePages, TakesEveryFileOfAFewAndNoneThatIsEmpty) {
  std::set<int64_t> chosen;
  for (const PageSample& sample : ChoosePages(Files({10, 0, 1}), 300, 7)) {
    chosen.insert(sample.file);
    EXPECT_EQ(sample.page, 0);
  }
  EXPECT_EQ(chosen, (std::set<int64_t>{0, 2}));
}

TEST(ChoosePages, IsAFunctionOfTheSeed) {
  const auto files = Files(std::vector<int64_t>(1000, 1));
  const auto first = [&](uint64_t seed) { return ChoosePages(files, 300, seed).front().file; };
  EXPECT_EQ(first(7), first(7));
  EXPECT_NE(first(7), first(8));
}

TEST(CountDistinct, CountsAFileOfManyNamesOnceAndInWholePages) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  auto files = Files({page + 1, 1});
  files.push_back(files[0]);
  files.push_back({.device = 2, .inode = 1, .bytes = 1});  // another file of the same number
  const DistinctBytes distinct = CountDistinct(files);
  EXPECT_EQ(distinct.bytes, page + 3);
  EXPECT_EQ(distinct.page_bytes, 4 * page);
}

// A folder on a disk whose file system tells which pages are in memory; tmpfs has no others.
class OnDisk : public ::testing::Test {
 protected:
  OnDisk() {
    std::string name = testing::TempDir() + "/fairlap-XXXXXX";
    folder_ = mkdtemp(name.data());
    fs::permissions(folder_, fs::perms::others_exec, fs::perm_options::add);
  }
  ~OnDisk() override { fs::remove_all(folder_); }

  void SetUp() override {
    struct statfs facts {};
    ASSERT_EQ(statfs(folder_.c_str(), &facts), 0);
    if (facts.f_type != EXT4_SUPER_MAGIC && facts.f_type != XFS_SUPER_MAGIC) {
      GTEST_SKIP() << folder_ << " is neither on ext4 nor on xfs; set TEST_TMPDIR to one that is";
    }
  }

  // Just written, hence dirty.
  std::string Write(const std::string& name, int64_t pages) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << std::string(static_cast<size_t>(pages * kPage), 'x');
    return path;
  }

  fs::path folder_;
};

// A page whose writing has only just ended is still held for a moment.
void EvictForGood(const std::string& path) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(EvictFile(path.c_str()).has_value());
}

TEST_F(OnDisk, EvictsAFileThatWasJustWritten) {
  const std::string path = Write("file", 64);
  EXPECT_EQ(ProbePage(path.c_str(), 40), Residency::kResident);
  EvictForGood(path);
  for (const int64_t page : {0, 31, 63}) {
    EXPECT_EQ(ProbePage(path.c_str(), page), Residency::kAbsent) << page;
  }
}

TEST_F(OnDisk, BringsInTheProbedPageAloneAndCanEvictItAtOnce) {
  const std::string path = Write("file", 64);
  EvictForGood(path);
  EXPECT_EQ(ProbePage(path.c_str(), 20), Residency::kAbsent);
  EXPECT_EQ(ProbePage(path.c_str(), 20), Residency::kResident);
  EXPECT_EQ(ProbePage(path.c_str(), 21), Residency::kAbsent);
  ASSERT_TRUE(EvictFile(path.c_str()).has_value());
  EXPECT_EQ(ProbePage(path.c_str(), 20), Residency::kAbsent);
}

TEST_F(OnDisk, WarmsAFileByReadingIt) {
  const std::string path = Write("file", 64);
  EvictForGood(path);
  ByteBuffer buffer;
  const auto warmed = WarmFile(path.c_str(), buffer);
  ASSERT_TRUE(warmed.has_value());
  EXPECT_EQ(warmed->bytes, 64 * kPage);
  for (const int64_t page : {0, 31, 63}) {
    EXPECT_EQ(ProbePage(path.c_str(), page), Residency::kResident) << page;
  }
}

TEST_F(OnDisk, TellsWhichFileAPathLeadsTo) {
  const std::string path = Write("file", 1);
  fs::create_symlink("file", folder_ / "link");
  fs::create_hard_link(path, folder_ / "other");
  const auto file = EvictFile(path.c_str());
  ASSERT_TRUE(file.has_value());
  for (const char* name : {"link", "other"}) {
    const auto same = EvictFile((folder_ / name).c_str());
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(same->inode, file->inode);
    EXPECT_EQ(same->device, file->device);
  }
}

// What a pod sees that runs as a user of its own on somebody else's data set.
TEST_F(OnDisk, WorksForAProcessThatMayReadTheFileAndNotMore) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  const std::string path = Write("file", 64);
  fs::permissions(path, fs::perms::others_read, fs::perm_options::add);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(2);
    for (int i = 0; i < 3; ++i) {
      if (!EvictFile(path.c_str())) _exit(3);
    }
    const bool evicted = ProbePage(path.c_str(), 9) == Residency::kAbsent;
    const bool fetched = ProbePage(path.c_str(), 9) == Residency::kResident;
    _exit(evicted && fetched ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(OnDisk, SaysWhyAFileCannotBeUsed) {
  const auto missing = EvictFile((folder_ / "missing").c_str());
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().kind, base::ErrorKind::kNotFound);
  EXPECT_EQ(missing.error().message, "cannot open: No such file or directory");
  const auto folder = ProbePage(folder_.c_str(), 0);
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().message, "cannot read: Is a directory");
}

}  // namespace
}  // namespace fairlap::storage

#include "worker/storage/stage_in.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include "worker/storage/staged_file.h"

namespace fairlap::storage {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kPiece = int64_t{4} << 20;

class StageInTest : public ::testing::Test {
 protected:
  StageInTest() {
    std::string name = (fs::temp_directory_path() / "fairlap-stage-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directories(data());
    fs::create_directories(scratch());
  }
  ~StageInTest() override { fs::remove_all(folder_); }

  fs::path data() const { return folder_ / "data"; }
  fs::path scratch() const { return folder_ / "scratch"; }

  static void Write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string Read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void MakeLarge(const fs::path& path, int64_t bytes) {
    Write(path, "");
    ASSERT_EQ(::truncate(path.c_str(), bytes), 0);
  }
  // Everything but folders, relative.
  std::vector<std::string> Staged() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(scratch())) {
      if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(scratch()));
    }
    std::ranges::sort(names);
    return names;
  }

  base::Status Stage(std::vector<StagePart> parts = {{"."}}, int threads = 3) {
    told_.clear();
    return StageIn(
        {data(), scratch(), std::move(parts), threads},
        [this](const StageInProgress& progress) {
          told_.push_back(progress);
          on_progress_(progress);
        },
        stop_.get_token());
  }

  fs::path folder_;
  std::vector<StageInProgress> told_;
  std::function<void(const StageInProgress&)> on_progress_ = [](const StageInProgress&) {};
  std::stop_source stop_;
};

TEST_F(StageInTest, CopiesTheTreeWithItsModificationTimes) {
  const std::string large(static_cast<size_t>(2 * kPiece + 17), 'x');
  Write(data() / "train/a/1.jpg", "one");
  Write(data() / "train/b/deep/2.jpg", large);
  Write(data() / "train/empty.txt", "");
  fs::create_directories(data() / "train/c");
  const auto status = Stage();
  ASSERT_TRUE(status.has_value()) << status.error().message;
  EXPECT_THAT(Staged(), ElementsAre("train/a/1.jpg", "train/b/deep/2.jpg", "train/empty.txt"));
  EXPECT_TRUE(fs::is_directory(scratch() / "train/c"));
  EXPECT_EQ(Read(scratch() / "train/a/1.jpg"), "one");
  EXPECT_EQ(Read(scratch() / "train/b/deep/2.jpg"), large);
  EXPECT_EQ(fs::last_write_time(scratch() / "train/a/1.jpg"),
            fs::last_write_time(data() / "train/a/1.jpg"));
}

TEST_F(StageInTest, CopiesTheAskedPartsAlone) {
  for (const char* name : {"train/1", "val/2", "other/3", "4"}) Write(data() / name, "x");
  ASSERT_TRUE(Stage({{"train"}, {"val", true}, {"no-such", true}}).has_value());
  EXPECT_THAT(Staged(), ElementsAre("train/1", "val/2"));
}

TEST_F(StageInTest, CopiesAFileOfTwoPartsOnce) {
  Write(data() / "all/val/1", "x");
  ASSERT_TRUE(Stage({{"all"}, {"all/val"}}).has_value());
  EXPECT_EQ(told_.back().total_files, 1);
}

TEST_F(StageInTest, NamesAPartThatIsMissing) {
  const auto status = Stage({{"train"}});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(status.error().message,
            (data() / "train").string() + ": cannot read this folder: No such file or directory");
}

TEST_F(StageInTest, LeavesOutWhatNoDataSetReads) {
  for (const char* name : {".hidden", ".folder/1", "lost+found/2", "a/.3", "a/4"}) {
    Write(data() / name, "x");
  }
  ASSERT_TRUE(Stage().has_value());
  EXPECT_THAT(Staged(), ElementsAre("a/4"));
}

TEST_F(StageInTest, FollowsLinks) {
  Write(folder_ / "elsewhere/1.jpg", "linked");
  fs::create_symlink(folder_ / "elsewhere", data() / "class");
  fs::create_symlink(folder_ / "elsewhere/1.jpg", data() / "2.jpg");
  ASSERT_TRUE(Stage().has_value());
  EXPECT_FALSE(fs::is_symlink(scratch() / "class"));
  EXPECT_EQ(Read(scratch() / "class/1.jpg"), "linked");
  EXPECT_FALSE(fs::is_symlink(scratch() / "2.jpg"));
}

TEST_F(StageInTest, RefusesAFolderInsideOfItself) {
  fs::create_directories(data() / "a");
  fs::create_symlink(data(), data() / "a/again");
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message, HasSubstr("a/again: a link to a folder that holds it"));
}

TEST_F(StageInTest, RefusesAPipeInsteadOfWaitingForIt) {
  ASSERT_EQ(::mkfifo((data() / "pipe.jpg").c_str(), 0600), 0);
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kInvalidInput);
  EXPECT_THAT(status.error().message, HasSubstr("pipe.jpg: is not a regular file"));
}

TEST_F(StageInTest, NamesALinkThatLeadsNowhere) {
  fs::create_symlink("gone", data() / "1.jpg");
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            (data() / "1.jpg").string() + ": cannot read: No such file or directory");
}

TEST_F(StageInTest, NamesWhatCannotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  Write(data() / "1.jpg", "x");
  fs::permissions(data() / "1.jpg", fs::perms::none);
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            (data() / "1.jpg").string() + ": cannot open: Permission denied");
}

TEST_F(StageInTest, NamesAPlaceThatCannotBeWritten) {
  Write(data() / "1.jpg", "x");
  fs::create_directories(scratch() / "1.jpg/in-the-way");
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kIo);
  EXPECT_EQ(status.error().message,
            (scratch() / "1.jpg").string() + ": cannot write: Is a directory");
}

TEST_F(StageInTest, TellsHowFarItIs) {
  Write(data() / "a", "12345");
  Write(data() / "b", "123");
  ASSERT_TRUE(Stage().has_value());
  ASSERT_GE(told_.size(), 2U);
  EXPECT_EQ(told_.front().files, 0);
  EXPECT_EQ(told_.front().bytes, 0);
  EXPECT_EQ(told_.front().total_bytes, 8);
  EXPECT_EQ(told_.back().files, 2);
  EXPECT_EQ(told_.back().total_files, 2);
  EXPECT_EQ(told_.back().bytes, 8);
}

TEST_F(StageInTest, KeepsWhatIsThereAndCopiesWhatDiffers) {
  for (const char* name : {"same", "longer", "newer"}) Write(data() / name, "12345");
  ASSERT_TRUE(Stage().has_value());
  // Told by size and time alone: what is kept is not read again.
  const auto time = fs::last_write_time(scratch() / "same");
  Write(scratch() / "same", "kept!");
  fs::last_write_time(scratch() / "same", time);
  Write(data() / "longer", "123456");
  fs::last_write_time(data() / "newer", time + std::chrono::hours(1));
  ASSERT_TRUE(Stage().has_value());
  EXPECT_EQ(Read(scratch() / "same"), "kept!");
  EXPECT_EQ(Read(scratch() / "longer"), "123456");
  EXPECT_EQ(fs::last_write_time(scratch() / "newer"), time + std::chrono::hours(1));
  EXPECT_EQ(told_.back().kept_files, 1);
  EXPECT_EQ(told_.back().kept_bytes, 5);
  EXPECT_EQ(told_.back().bytes, 11);
  EXPECT_EQ(told_.back().files, 3);
}

TEST_F(StageInTest, RefusesBeforeItCopiesWhatHasNoRoom) {
  struct statvfs volume {};
  ASSERT_EQ(::statvfs(scratch().c_str(), &volume), 0);
  const auto free = static_cast<int64_t>(volume.f_bavail * volume.f_frsize);
  Write(data() / "a", "small");
  MakeLarge(data() / "huge", free + (int64_t{1} << 30));  // a hole: it takes no space here
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(status.error().message,
              HasSubstr(scratch().string() + ": copying the data set needs"));
  EXPECT_THAT(status.error().message, HasSubstr("GB there, and this volume has"));
  EXPECT_THAT(status.error().message, HasSubstr("use staging direct"));
  EXPECT_THAT(Staged(), ElementsAre());
  EXPECT_EQ(told_.back().total_files, 2);
}

// Nothing is copied between the first report of progress and the check of space.
TEST_F(StageInTest, NamesAFileThatShrinksOrVanishesMeanwhile) {
  Write(data() / "1.jpg", "12345");
  on_progress_ = [this](const StageInProgress& progress) {
    if (progress.files == 0) fs::resize_file(data() / "1.jpg", 3);
  };
  const auto shrunk = Stage();
  ASSERT_FALSE(shrunk.has_value());
  EXPECT_EQ(shrunk.error().message, (data() / "1.jpg").string() +
                                        ": changed while it was copied: it had 5 bytes and has 3");
  on_progress_ = [this](const StageInProgress&) { fs::remove(data() / "1.jpg"); };
  const auto vanished = Stage();
  ASSERT_FALSE(vanished.has_value());
  EXPECT_EQ(vanished.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(vanished.error().message, HasSubstr("1.jpg: cannot open: No such file"));
  EXPECT_THAT(Staged(), ElementsAre());
}

TEST_F(StageInTest, StopsAndIsTakenUpAgain) {
  Write(data() / "1", "x");
  ASSERT_TRUE(Stage().has_value());
  Write(data() / "2", "y");
  stop_.request_stop();
  const auto status = Stage();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kInterrupted);
  stop_ = {};
  ASSERT_TRUE(Stage().has_value());
  EXPECT_EQ(told_.back().kept_files, 1);
  EXPECT_THAT(Staged(), ElementsAre("1", "2"));
}

TEST_F(StageInTest, StopsInsideOfALargeFile) {
  MakeLarge(data() / "large", 3 * kPiece);
  const auto version = VersionOf(data() / "large");
  ASSERT_TRUE(version.has_value());
  ByteBuffer buffer;
  int64_t copied = 0;
  const auto count = [&](int64_t bytes) {
    copied += bytes;
    stop_.request_stop();
  };
  const auto status = CopyFile(data() / "large", *version, scratch() / "part", scratch() / "large",
                               buffer, count, stop_.get_token());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(copied, kPiece);
  EXPECT_FALSE(fs::exists(scratch() / "large"));
}

TEST_F(StageInTest, FindsACopyOfAnotherSize) {
  Write(scratch() / "1", "1234");
  EXPECT_TRUE(Settle(scratch() / "1", 4).has_value());
  const auto status = Settle(scratch() / "1", 5);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            (scratch() / "1").string() + ": was copied as 5 bytes and has 4");
}

// Of tmpfs the pages are the file; of others they leave the page cache.
TEST_F(StageInTest, LeavesTheCopyOutOfThePageCache) {
  const std::string bytes(1 << 20, 'x');
  Write(data() / "1", bytes);
  ASSERT_TRUE(Stage().has_value());
  const int fd = ::open((scratch() / "1").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  struct statfs volume {};
  ASSERT_EQ(::fstatfs(fd, &volume), 0);
  void* pages = ::mmap(nullptr, bytes.size(), PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  ASSERT_NE(pages, MAP_FAILED);
  std::vector<unsigned char> resident(bytes.size() / 4096);
  const int asked = ::mincore(pages, bytes.size(), resident.data());
  ::munmap(pages, bytes.size());
  ASSERT_EQ(asked, 0);
  if (volume.f_type == TMPFS_MAGIC) GTEST_SKIP() << "the temporary folder is memory";
  EXPECT_EQ(std::ranges::count_if(resident, [](unsigned char page) { return (page & 1) != 0; }), 0);
}

}  // namespace
}  // namespace fairlap::storage

#include "worker/storage/file_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace fairlap::storage {
namespace {

namespace fs = std::filesystem;

class FileReaderTest : public ::testing::TestWithParam<ReadMode> {
 protected:
  // Not under /tmp, which may have no direct I/O.
  void SetUp() override {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', '_');
    folder_ = fs::current_path() / ("file_reader_" + name);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  // The error's message, or "read".
  std::string Outcome(const std::string& path) {
    const auto bytes = reader_.ReadFile(path);
    return bytes ? "read" : bytes.error().message;
  }

  fs::path folder_;
  FileReader reader_{GetParam()};
};

TEST_P(FileReaderTest, ReadsFilesOfEverySizeAroundABlock) {
  for (const size_t size : {0, 1, 4095, 4096, 4097, 3 * 4096 + 5, 9 << 20}) {
    std::string text(size, '.');
    for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 251);
    const auto bytes = reader_.ReadFile(Write("f", text));
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(std::string(bytes->begin(), bytes->end()), text) << size;
  }
}

TEST_P(FileReaderTest, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(Outcome(folder_ / "none"), "cannot open: No such file or directory");
  EXPECT_EQ(Outcome(folder_), "cannot read: Is a directory");
  const fs::path large = Write("large", "");
  fs::resize_file(large, (uint64_t{1} << 30) + 1);
  EXPECT_EQ(Outcome(large), "is larger than 1 GiB");
}

TEST_P(FileReaderTest, DoesNotWaitForAPipesWriter) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_NE(Outcome(folder_ / "pipe"), "read");
}

INSTANTIATE_TEST_SUITE_P(Modes, FileReaderTest,
                         ::testing::Values(ReadMode::kBuffered, ReadMode::kDirect),
                         [](const auto& tested) {
                           return tested.param == ReadMode::kDirect ? "Direct" : "Buffered";
                         });

// procfs has no direct I/O.
TEST(FileReaderOnAFileSystemWithoutDirectIo, SaysWhatToChoose) {
  const auto bytes = FileReader(ReadMode::kDirect).ReadFile("/proc/self/status");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().kind, base::ErrorKind::kUnavailable);
  EXPECT_NE(bytes.error().message.find("buffered"), std::string::npos);
}

}  // namespace
}  // namespace fairlap::storage

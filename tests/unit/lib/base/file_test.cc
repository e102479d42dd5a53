#include "lib/base/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fairlap::base {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() /
        (std::string("fairlap_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(FileTest, ReadsBackWhatWasWrittenIntoANewFolder) {
  const fs::path path = folder_ / "a" / "b.json";
  ASSERT_TRUE(WriteFileAtomically(path, "one"));
  ASSERT_TRUE(WriteFileAtomically(path, "two"));
  EXPECT_EQ(ReadFile(path, 3).value(), "two");
}

TEST_F(FileTest, RefusesAFileThatIsTooLarge) {
  std::ofstream(folder_ / "f") << "1234";
  const auto text = ReadFile(folder_ / "f", 3);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kInvalidInput);
}

TEST_F(FileTest, TellsAMissingFileFromAnUnreadableOne) {
  EXPECT_EQ(ReadFile(folder_ / "none", 9).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ReadFile(folder_, 9).error().kind, ErrorKind::kIo);
}

TEST_F(FileTest, LeavesNothingBehindWhereItCannotWrite) {
  fs::create_directories(folder_ / "taken" / "full");
  const Status status = WriteFileAtomically(folder_ / "taken", "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kIo);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace fairlap::base

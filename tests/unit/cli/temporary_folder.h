#ifndef FAIRLAP_TESTS_UNIT_CLI_TEMPORARY_FOLDER_H_
#define FAIRLAP_TESTS_UNIT_CLI_TEMPORARY_FOLDER_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fairlap::cli {

// An empty folder of its own for each test, gone with the fixture.
class TemporaryFolder : public testing::Test {
 protected:
  TemporaryFolder() {
    std::string name = testing::TempDir() + "/fairlap-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

}  // namespace fairlap::cli

#endif  // FAIRLAP_TESTS_UNIT_CLI_TEMPORARY_FOLDER_H_

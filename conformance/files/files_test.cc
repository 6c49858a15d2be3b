#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/read_file.h"
#include "interpreter/error.h"

// What is refused and how a run ends is for the scripts in checks/.
namespace hlo::conformance {
namespace {

class FilesOfTests : public testing::Test {
 protected:
  ~FilesOfTests() override { std::filesystem::remove(path_); }

  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("assay_files_" + std::to_string(getpid())))
                          .string();
};

TEST_F(FilesOfTests, AreReadUpToALimit) {
  const std::string text("a\0b\n", 4);
  write_file(path_, text);
  EXPECT_EQ(read_file(path_), text);
  EXPECT_EQ(read_file(path_, 4), text);
  EXPECT_THROW(read_file(path_, 3), Error);
  EXPECT_EQ(read_beginning(path_, 3), text.substr(0, 3));
  EXPECT_EQ(read_beginning(path_, 9), text);
}

TEST_F(FilesOfTests, AreReadWhereTheirSizeIsNotTold) {
  EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos);
}

TEST_F(FilesOfTests, AreAsBeforeUntilTheyAreWhole) {
  write_file(path_, "old");
  {
    FileUse use;
    OutputFile out(path_, use);
    out.append("half");
  }
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
}

}  // namespace
}  // namespace hlo::conformance

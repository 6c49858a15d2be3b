#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>

#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/output_into.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
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

TEST(Progress, EstimatesWhatIsLeft) {
  using Time = std::chrono::duration<double>;
  const auto left = [](double share, double seconds, bool most = false) {
    return left_text({.text = "", .share = share, .most = most}, Time(seconds));
  };
  EXPECT_EQ(left(0.5, 5), "; about 0:05 left");
  EXPECT_EQ(left(0.25, 30), "; about 1:30 left");
  EXPECT_EQ(left(0.01, 100), "; about 2:45:00 left");
  EXPECT_EQ(left(0.5, 60, /*most=*/true), "; at most 1:00 left");
  EXPECT_EQ(left(1, 60), "; about 0:00 left");
  EXPECT_EQ(left(1.5, 60), "; about 0:00 left");
  for (const double unknown : {0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(left(unknown, 60), "");
  }
  EXPECT_EQ(left(1e-300, 60), "; over 100 hours left");
}

TEST_F(FilesOfTests, TakeWhatIsPrinted) {
  {
    FileUse use;
    OutputInto output(path_, use);
    say("not kept\n");
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
  std::string much;
  {
    FileUse use;
    OutputInto output(path_, use);
    for (int i = 0; i < 30'000; ++i) {
      say("{}\n", i);
      much += std::to_string(i) + "\n";
    }
    output.commit();
  }
  EXPECT_EQ(read_file(path_), much);
}

TEST(Printable, LeavesNoControlCharacters) {
  EXPECT_EQ(printable("a\x1b[2J\x7f\n"), "a?[2J?\n");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "??2J");                                           // U+009B
  EXPECT_EQ(printable("\xe2\x80\xa8\xe2\x80\xae"), "??????");  // U+2028, 202E
  EXPECT_EQ(printable("\xe2\x81\xa6"), "???");                 // U+2066
  EXPECT_EQ(printable("\xe0\x80\x9b\xed\xa0\x80"), "??????");  // no UTF-8
  EXPECT_EQ(printable("\xf0\x80\x80\x9b\xf4\x90\x80\x80"), "????????");
  const std::string letters =
      "\xc2\xa0\xc3\xa9\xe0\xa4\x85\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xaa"
      "\xed\x9f\xbf\xee\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf";
  EXPECT_EQ(printable(letters), letters);
}

TEST(Printable, LinesOfOthersAreNoLinesOfTheReport) {
  EXPECT_EQ(in_lines("one"), "one");
  EXPECT_EQ(in_lines("one\ncpu: 1 of 1\n::error"),
            "one\n  | cpu: 1 of 1\n  | ::error");
  EXPECT_EQ(in_lines("::error::x"), "| ::error::x");
  EXPECT_EQ(in_lines("##[group]"), "| ##[group]");
}

TEST(Printable, UrisHaveOneColonBehindThem) {
  EXPECT_EQ(with_colon("cpu:"), "cpu:");
  EXPECT_EQ(with_colon("jax:cpu"), "jax:cpu:");
  EXPECT_EQ(with_colon(""), ":");
}

TEST_F(FilesOfTests, AreReadWhereTheirSizeIsNotTold) {
  EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos);
}

// Where another run has replaced it, its inode may be that of any new file.
TEST_F(FilesOfTests, AreNoLongerInUseWhereTheyAreReplaced) {
  for (const bool is_read : {true, false}) {
    write_file(path_, "old");
    FileStatus old{};
    ASSERT_EQ(stat(path_.c_str(), &old), 0);
    FileUse use;
    FileUse open;
    is_read ? use.read(path_) : use.write(old, path_);
    open.write_open(old, path_);
    EXPECT_THROW(use.check(old, "other"), Error);
    write_file(path_, "new");
    EXPECT_NO_THROW(use.check(old, "other"));
    EXPECT_THROW(open.check(old, "other"), Error);
  }
}

// Other programs write - to standard output, where here the report is.
TEST_F(FilesOfTests, AreNotCalledByADash) {
  FileUse use;
  EXPECT_THROW(OutputFile("-", use), Error);
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

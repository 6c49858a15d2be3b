#include "backends/process/frame.h"

#include <gtest/gtest.h>

#include <string>

namespace hlo::process {
namespace {

using namespace std::string_literals;

const Frame kFrame{.header = "{\"type\":\"hello\"}", .body = "a\0b"s};

/// What the reader says of the bytes; "" where they are a frame.
std::string complaint(const std::string& bytes, uint64_t most_body = 100) {
  FrameReader reader(most_body);
  try {
    reader.take(bytes);
    reader.end();
  } catch (const BadWorker& bad) {
    return bad.what();
  }
  return reader.is_complete() ? "" : "incomplete";
}

TEST(Frame, IsPutTogetherFromPiecesOfAnySize) {
  const std::string bytes = to_bytes(kFrame);
  for (size_t size = 1; size <= bytes.size(); ++size) {
    FrameReader reader(100);
    for (size_t i = 0; i < bytes.size(); i += size) {
      EXPECT_FALSE(reader.is_complete());
      reader.take(std::string_view(bytes).substr(i, size));
    }
    EXPECT_TRUE(reader.is_complete());
    EXPECT_EQ(reader.frame().header, kFrame.header);
    EXPECT_EQ(reader.frame().body, kFrame.body);
  }
}

TEST(Frame, EndsWhereItsLengthsSay) {
  FrameReader reader(100);
  const std::string bytes = to_bytes(kFrame) + "more";
  EXPECT_EQ(reader.take(bytes), "more");
  EXPECT_TRUE(reader.is_complete());
  EXPECT_EQ(reader.frame().body, kFrame.body);
  EXPECT_EQ(complaint(to_bytes(kFrame).substr(0, 30)), "incomplete");
  EXPECT_EQ(complaint(""), "incomplete");
}

TEST(Frame, IsRefusedWithItsFirstBytes) {
  EXPECT_EQ(
      complaint("AX"),
      "wrote \"AX\" on standard output, but a frame must begin with ASSY");
  EXPECT_EQ(complaint("\n"),
            "wrote \"?\" on standard output, but a frame must begin with ASSY");
}

TEST(Frame, IsRefusedInTheSameWordsInPiecesOfAnySize) {
  const std::string bytes = "ASS, or what else begins no frame";
  for (size_t size = 1; size <= bytes.size(); ++size) {
    FrameReader reader(100);
    std::string found;
    for (size_t i = 0; i < bytes.size() && found.empty(); i += size) {
      try {
        EXPECT_EQ(reader.is_wrong(), i > 3) << size;
        reader.take(std::string_view(bytes).substr(i, size));
      } catch (const BadWorker& bad) {
        found = bad.what();
      }
    }
    EXPECT_EQ(found,
              "wrote \"ASS, or what els\" on standard output, but a frame must "
              "begin with ASSY");
  }
}

TEST(Frame, HasBoundedLengths) {
  EXPECT_EQ(complaint("ASSY\1\0\0\0\0\0\0\0\0\0\0\0"s),
            "sent a frame with a header of 1 byte, but it must have from 2 to "
            "2^24");
  EXPECT_EQ(complaint("ASSY\1\0\0\1\0\0\0\0\0\0\0\0"s),
            "sent a frame with a header of 16777217 bytes, but it must have "
            "from 2 to 2^24");
  EXPECT_EQ(complaint("ASSY\2\0\0\0\x65\0\0\0\0\0\0\0"s),
            "sent a frame with a body of 101 bytes, but it can have at most "
            "100");
  EXPECT_EQ(complaint("ASSY\2\0\0\0\0\0\0\0\0\0\0\x80"s),
            "sent a frame with a body of 9223372036854775808 bytes, but it can "
            "have at most 100");
}

TEST(Frame, MayHaveWhatTheBoundsAre) {
  EXPECT_EQ(complaint("ASSY\2\0\0\0\0\0\0\0\0\0\0\0{}"s), "");
  EXPECT_EQ(complaint(to_bytes({.header = "{}", .body = "abc"}), 3), "");
  EXPECT_EQ(complaint(to_bytes({.header = "{}", .body = "abcd"}), 3),
            "sent a frame with a body of 4 bytes, but it can have at most 3");
  const Frame longest = {.header = std::string(kMostHeader, ' '), .body = {}};
  EXPECT_EQ(complaint(to_bytes(longest)), "");
  EXPECT_EQ(complaint("ASSY\2\0\0\0\0\0\0\0\4\0\0\0{}"s, kMostBody),
            "incomplete");
  EXPECT_EQ(complaint("ASSY\2\0\0\0\1\0\0\0\4\0\0\0{}"s, kMostBody),
            "sent a frame with a body of 17179869185 bytes, but it can have at "
            "most 17179869184");
}

TEST(Frame, TakesNoMemoryForWhatHasNotCome) {
  FrameReader reader(kMostBody);
  reader.take("ASSY\0\0\0\1\0\0\0\0\4\0\0\0{"s);
  EXPECT_FALSE(reader.is_complete());
  EXPECT_LT(reader.frame().header.capacity() + reader.frame().body.capacity(),
            1000U);
}

}  // namespace
}  // namespace hlo::process

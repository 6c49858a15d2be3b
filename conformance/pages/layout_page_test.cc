#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/literal.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

// "SHAPE at 1,2 = 3", "SHAPE slots = 4", "SHAPE bytes = 5".
void run_example(const std::string& line) {
  SCOPED_TRACE(line);
  const size_t equals = line.find(" = ");
  const size_t word = line.find(' ');
  ASSERT_NE(equals, std::string::npos);
  const Shape shape = text::parse_shape(line.substr(0, word));
  const std::string what = line.substr(word + 1, equals - word - 1);
  const int64_t expected = numbers(line.substr(equals + 3)).at(0);
  if (what == "slots") {
    EXPECT_EQ(buffer_elements(shape), expected);
  } else if (what == "bytes") {
    EXPECT_EQ(buffer_bytes(shape), expected);
  } else {
    ASSERT_EQ(what.substr(0, 2), "at");
    EXPECT_EQ(linear_index(shape, numbers(what.substr(2))), expected);
  }
}

TEST(LayoutPage, ExamplesHold) {
  const std::vector<PageBlock> blocks =
      page_blocks("layout.md", "layout example");
  EXPECT_GE(blocks.size(), 6U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    for (const std::string& line : block.lines) run_example(line);
  }
}

TEST(LayoutPage, MapsHold) {
  const std::vector<PageBlock> blocks = page_blocks("layout.md", "layout map");
  EXPECT_GE(blocks.size(), 7U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    const Shape shape = text::parse_shape(block.lines.at(0));
    std::vector<int64_t> expected;
    for (size_t k = 1; k < block.lines.size(); ++k) {
      const std::vector<int64_t> row = numbers(block.lines[k]);
      EXPECT_EQ(std::ssize(row), shape.dims.back());
      expected.insert(expected.end(), row.begin(), row.end());
    }
    std::vector<int64_t> map;
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      map.push_back(linear_index(shape, delinearize(i, shape.dims)));
    }
    EXPECT_EQ(map, expected);
  }
}

// The bytes in hexadecimal, and -- for those that hold poison.
std::string dump(const Buffer& buffer) {
  std::string text;
  for (const std::byte byte : buffer.bytes) {
    const auto value = std::to_integer<int>(byte);
    if (!text.empty()) text += ' ';
    text += value == 0xa5 ? "--" : fmt::format("{:02x}", value);
  }
  return text;
}

TEST(LayoutPage, BuffersHold) {
  const std::vector<PageBlock> blocks =
      page_blocks("layout.md", "layout buffer");
  EXPECT_GE(blocks.size(), 7U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    const Literal literal = text::parse_literal_with_shape(block.lines.at(0));
    const bool zero = block.info.ends_with("zero");
    const Buffer buffer = store(literal, literal.shape(),
                                zero ? Padding::kZero : Padding::kPoison);
    EXPECT_EQ(dump(buffer), block.lines.at(1));
    EXPECT_TRUE(identical(load(buffer), literal));
  }
}

}  // namespace
}  // namespace hlo::conformance
